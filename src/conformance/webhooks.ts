import { check, type Check } from './Check.ts';
import type { Answer, Json } from './kit/Answer.ts';
import { accepted, equal, refused, refusedField, that } from './kit/claims.ts';
import type { Actor } from './kit/createActor.ts';
import type { Stage } from './kit/Stage.ts';
import { openPosition, priceOf, tradeSize } from './kit/trading.ts';

/** A webhook that buys a little by market. */
async function buyer(
  stage: Stage,
  me: Actor,
  more: object = {},
): Promise<{ hook: Json; body: Json }> {
  const { symbol } = stage.instrument;
  const { mark } = await priceOf(stage, me);
  const size = tradeSize(stage, 200, mark);
  const request = { symbol, side: 'buy', size, order_type: 'market' };
  const body = { name: stage.unique(), action: { type: 'order', request }, ...more };
  const hook = accepted(await me.call('webhooks.create', { body }), 'a webhook');
  return { hook, body };
}

function alert(stage: Stage, token: string, alertText: unknown): Promise<Answer> {
  const path = `/v1${stage.dialect.endpoints['webhooks.inbound'].path}`;
  const bodyText = typeof alertText === 'string' ? alertText : JSON.stringify(alertText);
  return stage.plain({ method: 'POST', path: path.replace('{token}', token), bodyText });
}

async function outcome(stage: Stage, token: string, text: unknown = 'alert'): Promise<string> {
  const answer = await alert(stage, token, text);
  equal(answer.status, 200, 'status of an alert');
  return answer.body.outcome;
}

const fillsOf = async (me: Actor): Promise<Json[]> =>
  accepted(await me.call('orders.fills'), 'the fills').items;

const tokens = check('WHK-1', 'paper', 'the token is whole once, redacted after', async (stage) => {
  const me = await stage.actor();
  const { hook } = await buyer(stage, me);
  const { token, webhook_id } = hook;
  that(typeof token === 'string' && token.length >= 16, 'a token of some length', 'a short one');
  that(hook.url_path.endsWith(token), 'url_path that ends with the token', 'another');
  const { items } = accepted(await me.call('webhooks.list'), 'the webhooks');
  const listed = items.find((row: Json) => row.webhook_id === webhook_id);
  that(!JSON.stringify(items).includes(token), 'no whole token in a listing', 'a whole token');
  that(listed.token.endsWith(token.slice(-4)), 'a redacted token with its last 4', listed.token);
  const params = { id: webhook_id };
  const rotated = accepted(await me.call('webhooks.rotate', { params }), 'a rotation');
  that(rotated.token !== token, 'a new token', 'the old one');
  refused(await alert(stage, token, 'alert'), 404, 'not_found', 'an alert to the old token');
  equal(await outcome(stage, rotated.token), 'accepted', 'an alert to the new token');
});

const acts = check('WHK-1', 'paper', 'an alert acts, JSON or plain text', async (stage) => {
  const me = await stage.actor();
  const { hook, body } = await buyer(stage, me);
  equal(await outcome(stage, hook.token), 'accepted', 'a plain text');
  equal(await outcome(stage, hook.token, { anything: 1 }), 'accepted', 'a JSON alert');
  const sizes = (await fillsOf(me)).map((fill) => fill.size);
  equal(sizes, [body.action.request.size, body.action.request.size], 'what it bought');
  const { items } = accepted(
    await me.call('webhooks.deliveries', { params: { id: hook.webhook_id } }),
    'the deliveries',
  );
  equal(
    items.map((row: Json) => row.outcome),
    ['accepted', 'accepted'],
    'outcomes on record',
  );
});

const templates = check('WHK-1', 'paper', 'templates take what the alert says', async (stage) => {
  const me = await stage.actor();
  const { symbol } = stage.instrument;
  const { size } = await openPosition(stage, me, { value: 2_000 });
  const request = { symbol, side: '{{side}}', size: '{{size}}', order_type: 'market' };
  const { hook } = await buyer(stage, me, { action: { type: 'order', request } });
  const given = { side: 'sell', size };
  equal(await outcome(stage, hook.token, given), 'accepted', 'an alert with side and size');
  const flat = await me.call('positions.get', { params: { symbol } });
  refused(flat, 404, 'no_position', 'the position after a sale of its size');
  equal(await outcome(stage, hook.token, 'alert'), 'invalid', 'an alert without side and size');
  const fixed = await buyer(stage, me);
  await outcome(stage, fixed.hook.token, { side: 'sell' });
  const [last] = (await fillsOf(me)).sort((a, b) => b.time - a.time || compare(b, a));
  equal(last?.side, 'buy', 'side of an action without a template');

  function compare(a: Json, b: Json): number {
    return String(a.fill_id).localeCompare(String(b.fill_id), undefined, { numeric: true });
  }
});

const dryRun = check('WHK-1', 'paper', 'a dry run does nothing', async (stage) => {
  const me = await stage.actor();
  const { hook } = await buyer(stage, me, { dry_run: true });
  equal(await outcome(stage, hook.token), 'dry_run', 'outcome of a dry run');
  equal(await fillsOf(me), [], 'fills after a dry run');
});

const cooldown = check('WHK-1', 'paper', 'a cooldown, counted in market time', async (stage) => {
  const me = await stage.actor();
  const { hook } = await buyer(stage, me, { cooldown_seconds: 90 });
  const begin = await stage.tape.now();
  equal(await outcome(stage, hook.token), 'accepted', 'a first alert');
  equal(await outcome(stage, hook.token), 'cooldown', 'a second at once');
  await stage.tape.to(begin + 89_000);
  equal(await outcome(stage, hook.token), 'cooldown', 'an alert after 89 s');
  await stage.tape.to(begin + 91_000);
  equal(await outcome(stage, hook.token), 'accepted', 'an alert after 91 s');
});

const dailyCap = check('WHK-1', 'paper', 'a daily cap', async (stage) => {
  const me = await stage.actor();
  const { hook } = await buyer(stage, me, { daily_cap: 2 });
  const seen = [];
  for (let count = 0; count < 3; count++) seen.push(await outcome(stage, hook.token));
  equal(seen, ['accepted', 'accepted', 'daily_cap'], 'outcomes of three alerts with a cap of 2');
});

const failures = check('WHK-1', 'paper', 'what fails is reported', async (stage) => {
  const me = await stage.cast({ balance: 0 });
  const { hook } = await buyer(stage, me);
  equal(await outcome(stage, hook.token), 'failed', 'an alert without any margin');
  const params = { id: hook.webhook_id };
  const { items } = accepted(await me.call('webhooks.deliveries', { params }), 'the deliveries');
  const reported = JSON.stringify(items[0]?.result ?? null);
  that(
    reported.includes('insufficient_margin'),
    'a result that names insufficient_margin',
    reported,
  );
});

const closes = check('WHK-1', 'paper', 'a close action closes', async (stage) => {
  const me = await stage.actor();
  const { symbol } = stage.instrument;
  await openPosition(stage, me);
  const { hook } = await buyer(stage, me, { action: { type: 'close', request: { symbol } } });
  equal(await outcome(stage, hook.token), 'accepted', 'outcome of a close');
  const flat = await me.call('positions.get', { params: { symbol } });
  refused(flat, 404, 'no_position', 'the position after it');
});

const changes = check('WHK-1', 'paper', 'a webhook is changed and removed', async (stage) => {
  const me = await stage.actor();
  const { hook } = await buyer(stage, me);
  const params = { id: hook.webhook_id };
  const body = { dry_run: true, cooldown_seconds: 5 };
  const changed = accepted(await me.call('webhooks.update', { params, body }), 'a change');
  equal([changed.dry_run, changed.cooldown_seconds], [true, 5], 'what was changed');
  refusedField(await me.call('webhooks.update', { params, body: { cap: 1 } }), 'cap');
  accepted(await me.call('webhooks.remove', { params }), 'a removal');
  refused(await alert(stage, hook.token, 'alert'), 404, 'not_found', 'an alert after the removal');
});

export const webhookChecks: readonly Check[] = [
  tokens,
  acts,
  templates,
  dryRun,
  cooldown,
  dailyCap,
  failures,
  closes,
  changes,
];
