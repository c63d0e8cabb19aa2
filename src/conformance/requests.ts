import { check, type Check } from './Check.ts';
import { accepted, equal, refused, that } from './kit/claims.ts';
import type { Stage } from './kit/Stage.ts';
import { restingOrder } from './kit/trading.ts';

/** AUTH-8: what the spec leaves open around a request, by the dialect. */

const tolerance = check('AUTH-8', 'read', 'timestamps within the tolerance pass', async (stage) => {
  const me = await stage.actor();
  const { timestampToleranceSeconds: seconds } = stage.dialect.signing;
  const at = (shiftSeconds: number) => me.call('utility.status', { signing: { shiftSeconds } });
  for (const sign of [1, -1]) {
    accepted(await at(sign * (seconds - 2)), `a timestamp ${sign * (seconds - 2)} s off`);
    const late = await at(sign * (seconds + 3));
    refused(late, 401, 'timestamp_out_of_window', `a timestamp ${sign * (seconds + 3)} s off`);
  }
  const text = `${seconds - 2} s off passes, ${seconds + 3} s is refused`;
  stage.found('signing.timestampToleranceSeconds', text, true);
});

/** A path with a query, and what is signed of it in this dialect, and what is not. */
function signedQuery({ dialect }: Stage) {
  const path = `/v1${dialect.endpoints['orders.list'].path}`;
  const full = `${path}?limit=3`;
  const { signQueryString: isSigned } = dialect.signing;
  const asked = { method: 'GET', path: full };
  return { asked, isSigned, right: isSigned ? full : path, wrong: isSigned ? path : full };
}

const query = check('AUTH-8', 'read', 'the query is part of the signed path', async (stage) => {
  const me = await stage.actor();
  const { asked, isSigned, right } = signedQuery(stage);
  const good = await me.raw({ ...asked, signing: { instead: { path: right } } });
  that(good.status === 200, `a signature over ${right} to pass`, good.body);
  stage.found('signing.signQueryString', isSigned ? 'it is signed' : 'it is not signed', true);
});

const otherQuery = check('AUTH-8', 'write', 'another signed path is refused', async (stage) => {
  const me = await stage.actor();
  const { asked, wrong } = signedQuery(stage);
  const bad = await me.raw({ ...asked, signing: { instead: { path: wrong } } });
  refused(bad, 401, 'invalid_signature', `a signature over ${wrong}`);
});

const replay = check(
  'AUTH-8',
  'write',
  'a repeated key replays the first answer',
  async (stage) => {
    const me = await stage.actor();
    const { headers: names, budget, signing } = stage.dialect;
    const asked = { body: await restingOrder(stage, me), idempotencyKey: stage.unique() };
    const before = await openOrders();
    const first = await me.call('orders.place', asked);
    const order = accepted(first, 'an order with a key');
    const again = await me.call('orders.place', asked);
    equal(again.status, first.status, 'status of the replay');
    equal(again.body, first.body, 'body of the replay');
    const replayed = again.headers[names.idempotencyReplayed.toLowerCase()];
    equal(replayed, 'true', names.idempotencyReplayed);
    equal(await openOrders(), before + 1, 'open orders after the replay');
    const weight = again.headers[names.weight.toLowerCase()];
    equal(weight, String(budget.replayWeight), 'weight of a replay');
    const other = { ...asked.body, size: asked.body.size * 2 };
    const conflict = await me.call('orders.place', { ...asked, body: other });
    if (signing.idempotencyConflict === 'refuse') {
      refused(conflict, 409, 'idempotency_conflict', 'another request with the same key');
    } else {
      equal(conflict.body, first.body, 'answer to another request with the same key');
      equal(await openOrders(), before + 1, 'open orders after another request');
    }
    accepted(await me.call('orders.cancel', { params: { id: order.order_id } }), 'its cancel');
    stage.found('headers.idempotencyReplayed', `${names.idempotencyReplayed}: ${replayed}`, true);
    stage.found('budget.replayWeight', `weight ${weight}`, true);
    stage.found('signing.idempotencyConflict', signing.idempotencyConflict, true);
    stage.found('idempotency.replay', 'the first answer again', true);

    async function openOrders(): Promise<number> {
      const list = await me.call('orders.list', { query: { limit: stage.dialect.limits.pageMax } });
      return accepted(list, 'the open orders').items.length;
    }
  },
);

const atOnce = check('AUTH-8', 'write', 'two at once with one key are one', async (stage) => {
  const me = await stage.actor();
  const asked = { body: await restingOrder(stage, me), idempotencyKey: stage.unique() };
  const answers = await Promise.all([1, 2, 3].map(() => me.call('orders.place', asked)));
  const ids = answers.map((answer) => accepted(answer, 'one of three at once').order_id);
  equal(new Set(ids).size, 1, 'number of orders of three requests at once');
  accepted(await me.call('orders.cancel', { params: { id: ids[0] } }), 'its cancel');
});

const refusalPersisted = check(
  'AUTH-8',
  'write',
  'refusals of the live state are kept too',
  async (stage) => {
    const me = await stage.actor();
    const body = { ...(await restingOrder(stage, me)), symbol: 'NO-SUCH-SYMBOL' };
    const asked = { body, idempotencyKey: stage.unique() };
    refused(await me.call('orders.place', asked), 404, 'unknown_symbol');
    const again = await me.call('orders.place', asked);
    refused(again, 404, 'unknown_symbol', 'the same again');
    const name = stage.dialect.headers.idempotencyReplayed.toLowerCase();
    equal(again.headers[name], 'true', 'the replay mark of a kept refusal');
  },
);

const roads = check(
  'AUTH-8',
  'paper',
  'REST and WebSocket share idempotency keys',
  async (stage) => {
    const me = await stage.actor();
    const body = await restingOrder(stage, me);
    const idempotencyKey = stage.unique();
    const order = accepted(await me.call('orders.place', { body, idempotencyKey }), 'the order');
    const probe = await stage.stream(me);
    const more = { idempotency_key: idempotencyKey };
    const result = await probe.command('place_order', body, more);
    that(result.ok === true, 'the same order by WebSocket to be a replay', result);
    equal(result.data.order_id, order.order_id, 'order_id of the replay by WebSocket');
    const other = await probe.command('place_order', { ...body, size: body.size * 2 }, more);
    if (stage.dialect.signing.idempotencyConflict === 'refuse') {
      equal(other.error?.code, 'idempotency_conflict', 'another order with the key by WebSocket');
    } else {
      equal(other.data?.order_id, order.order_id, 'answer to another order with the key');
    }
  },
);

const wallets = check('AUTH-8', 'paper', 'a header selects the wallet', async (stage) => {
  const me = await stage.actor();
  const other = await stage.cast({ balance: 777 });
  const { wallet, walletResolved } = stage.dialect.headers;
  const resolved = walletResolved.toLowerCase();
  const own = await me.call('account.get');
  equal(own.headers[resolved], me.wallet, `${walletResolved} without a selector`);
  equal(accepted(own).wallet, me.wallet, "wallet of the key's default account");
  const selected = await me.call('account.get', { wallet: other.wallet });
  equal(selected.headers[resolved], other.wallet, `${walletResolved} with a selector`);
  equal(accepted(selected).wallet, other.wallet, 'wallet of the selected account');
  equal(selected.body.equity, 777, 'equity of the selected account');
  const unknown = await me.call('account.get', { wallet: 'no-such-wallet' });
  refused(unknown, 404, 'unknown_wallet', 'an unknown wallet');
  stage.found('headers.wallet', `${wallet} selects`, true);
  stage.found('headers.walletResolved', `${walletResolved} names the wallet`, true);
});

const resolvedHeader = check('AUTH-8', 'read', 'answers name the wallet', async (stage) => {
  const me = await stage.actor();
  const { walletResolved } = stage.dialect.headers;
  const { headers } = await me.call('connections.list');
  const id = headers[walletResolved.toLowerCase()];
  that(typeof id === 'string' && id !== '', `${walletResolved} on an answer`, headers);
  const unknown = await me.call('connections.list', { wallet: 'no-such-wallet' });
  refused(unknown, 404, 'unknown_wallet', 'an unknown wallet');
});

const order = check('AUTH-8', 'paper', 'refusals come in their order', async (stage) => {
  const reader = await stage.cast({ scopes: ['read'] });
  const trader = await stage.cast({ scopes: ['trade'] });
  const bodyText = '{not json';
  const bad = { bodyText, wallet: 'no-such-wallet', headers: { 'Content-Type': 'text/plain' } };
  const unsigned = await reader.call('orders.place', { ...bad, signing: { secret: 'vs_x' } });
  refused(unsigned, 401, 'invalid_signature', 'credentials before scope');
  refused(await reader.call('orders.place', bad), 403, 'insufficient_scope', 'scope before wallet');
  refused(await trader.call('orders.place', bad), 404, 'unknown_wallet', 'wallet before type');
  const { wallet: _wallet, ...typed } = bad;
  refused(
    await trader.call('orders.place', typed),
    415,
    'unsupported_media_type',
    'type before JSON',
  );
  refused(
    await trader.call('orders.place', { bodyText }),
    400,
    'invalid_json',
    'JSON before shape',
  );
  const path = `/v1${stage.dialect.endpoints['orders.place'].path}`;
  const wrong = await reader.raw({ method: 'PUT', path, signing: { off: true } });
  refused(wrong, 405, 'method_not_allowed', 'method before credentials');
  equal(wrong.headers['allow'], 'POST', 'Allow of a wrong method');
});

const bodyLimit = check('AUTH-8', 'paper', 'a body over the limit is refused', async (stage) => {
  const me = await stage.actor();
  const { bodyBytes } = stage.dialect.limits;
  const bodyText = JSON.stringify({ name: 'x'.repeat(bodyBytes) });
  const answer = await me.call('orders.place', { bodyText });
  refused(answer, 413, 'payload_too_large', `a body of more than ${bodyBytes} bytes`);
  stage.found('limits.bodyBytes', `more than ${bodyBytes} bytes are refused`, true);
});

export const requestChecks: readonly Check[] = [
  tolerance,
  query,
  otherQuery,
  replay,
  atOnce,
  refusalPersisted,
  roads,
  wallets,
  resolvedHeader,
  order,
  bodyLimit,
];
