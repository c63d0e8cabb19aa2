import { ENDPOINT_IDS, TIERS, type EndpointId } from '../contract/index.ts';
import { check, lastly, type Check } from './Check.ts';
import type { Answer, Json } from './kit/Answer.ts';
import { accepted, equal, refused, shaped, that } from './kit/claims.ts';
import { errorEnvelope, ERROR_CODES, isErrorCode } from '../contract/index.ts';
import { place, restingOrder } from './kit/trading.ts';

const listed = check('LIM-1', 'read', 'weights and scopes are the table', async (stage) => {
  const me = await stage.actor();
  const { items } = accepted(
    await me.call('utility.weights', { query: { limit: stage.dialect.limits.pageMax } }),
  );
  for (const id of ENDPOINT_IDS) {
    const { method, path, weight, scope } = stage.dialect.endpoints[id];
    const isHere = (row: Json): boolean =>
      row.method === method && [path, `/v1${path}`].includes(row.path);
    const row = items.find(isHere);
    that(row !== undefined, `${method} ${path} among the weights`, items.length);
    equal(
      [row.weight, row.scope ?? null],
      [weight, scope],
      `weight and scope of ${method} ${path}`,
    );
  }
  stage.found('endpoints.weights', 'GET /weights is the table', true);
  stage.found('endpoints.paths', `${ENDPOINT_IDS.length} paths as in the table`, true);
});

const READS: readonly EndpointId[] = [
  'utility.status',
  'connections.list',
  'account.get',
  'orders.list',
  'executions.list',
  'market.instruments',
];

const charged = check('LIM-1', 'read', 'each call is charged its weight', async (stage) => {
  const me = await stage.actor();
  const { headers: names } = stage.dialect;
  const remaining = ({ headers }: Answer): number =>
    Number(headers[names.weightRemaining.toLowerCase()]);
  for (const id of READS) {
    const before = await me.call('utility.rateLimits');
    const answer = await me.call(id);
    const { weight } = stage.dialect.endpoints[id];
    equal(answer.headers[names.weight.toLowerCase()], String(weight), `${names.weight} of ${id}`);
    // Charges that leave the window in between free weight again.
    const left = remaining(answer);
    that(left >= remaining(before) - weight, `${names.weightRemaining} after ${id}`, left);
  }
  const ranged = await me.call('orders.history', { query: { start_time: 0 } });
  const { weightWithRange } = stage.dialect.endpoints['orders.history'];
  const weight = ranged.headers[names.weight.toLowerCase()];
  equal(weight, String(weightWithRange), 'weight of a list with a time range');
  stage.found('headers.weight', `${names.weight} reports it`, true);
  stage.found('headers.weightRemaining', `${names.weightRemaining} reports it`, true);
});

const launches = check('LIM-1', 'read', 'launches weigh 20, reads 1 to 5', async (stage) => {
  const me = await stage.actor();
  const { items } = accepted(
    await me.call('utility.weights', { query: { limit: stage.dialect.limits.pageMax } }),
  );
  for (const { path, method, weight, scope } of items as Json[]) {
    const isLaunch = method === 'POST' && /\/(execute|baskets)$/.test(path);
    if (isLaunch) equal(weight, 20, `weight of ${path}`);
    const isRead = scope === 'read';
    if (isRead) that(weight >= 1 && weight <= 5, `1 to 5 as weight of ${path}`, weight);
  }
});

const tiers = check('LIM-1', 'paper', 'the budget follows the tier', async (stage) => {
  for (const tier of TIERS) {
    const actor = await stage.cast({ tier });
    const limits = accepted(await actor.call('utility.rateLimits'), 'the rate limits');
    const budget = stage.dialect.budget[tier];
    equal([limits.tier, limits.budget], [tier, budget], `tier and budget of ${tier}`);
    equal(limits.remaining, limits.budget - limits.used, 'remaining');
    stage.found(`budget.${tier}`, `${limits.budget} a minute`, limits.budget === budget);
    const { window } = stage.dialect.budget;
    stage.found('budget.window', limits.window, limits.window === window);
  }
});

const perKey = check('LIM-1', 'paper', 'a budget is its own key’s', async (stage) => {
  const one = await stage.cast({});
  const two = await stage.cast({ wallet: one.wallet });
  for (let count = 0; count < 5; count++) await one.call('orders.list');
  const { used } = accepted(await two.call('utility.rateLimits'), 'the rate limits');
  const own = stage.dialect.endpoints['utility.rateLimits'].weight;
  that(used <= own, `at most ${own} used by a key that did nothing else`, used);
});

const exceeded = lastly(
  check('LIM-2', 'paper', 'a spent budget: 429, what and how long', async (stage) => {
    const me = await stage.cast({ tier: 'standard' });
    const order = await place(me, await restingOrder(stage, me));
    const params = { id: order.order_id };
    const replayed = { params, idempotencyKey: stage.unique() };
    accepted(await me.call('orders.cancel', replayed), 'a cancel with a key');
    const { budget } = stage.dialect;
    const { weight } = stage.dialect.endpoints['executions.launch'];
    const ask = (): Promise<Answer> =>
      me.call('executions.launch', { body: {}, idempotencyKey: stage.unique(), impatient: true });
    // Launches that are refused for their shape cost as much as any launch.
    let answer = await ask();
    let asked = 1;
    for (; answer.status === 422 && asked < budget.standard / weight + 2; asked++)
      answer = await ask();
    const details = refused(answer, 429, 'rate_limited', `launch ${asked} within a minute`);
    equal(details.bucket_exceeded, 'key_minute', 'bucket_exceeded');
    const seconds = details.retry_after_seconds;
    const most = budget.windowMs / 1_000;
    that(seconds > 0 && seconds <= most, `retry_after_seconds up to ${most}`, seconds);
    const { retryAfter } = stage.dialect.headers;
    equal(answer.headers[retryAfter.toLowerCase()], String(Math.ceil(seconds)), retryAfter);
    that(
      asked * weight >= budget.standard - weight,
      'the whole budget to be there',
      asked * weight,
    );
    const again = await me.call('orders.cancel', { ...replayed, impatient: true });
    equal(again.status, 200, 'status of a replay with a spent budget');
    stage.found('budget.windowMs', `retry after ${seconds} s`, true);
  }),
);

const vocabulary = check('ERR-1', 'paper', 'REST and WebSocket refuse alike', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  const base = await restingOrder(stage, me);
  const huge = { ...base, size: Math.round((10_000_000 / base.price) * 100) / 100 };
  const pairs: Array<[string, object]> = [
    ['an unknown symbol', { ...base, symbol: 'NO-SUCH' }],
    ['an unknown field', { ...base, nope: 1 }],
    ['a wrong side', { ...base, stop_loss: { price: Math.ceil(base.price * 1.1) } }],
    ['an oscillator', { ...base, stop_loss: { at: { indicator: 'rsi', interval: '1m' } } }],
    ['too much', huge],
  ];
  for (const [what, body] of pairs) {
    const rest = await me.call('orders.place', { body });
    const socket = await probe.command('place_order', { ...body });
    shaped(errorEnvelope, rest.body, `the envelope of ${what}`);
    equal([socket.ok, socket.error], [false, rest.body.error], `${what} on the socket, as on REST`);
  }
  stage.found('errors.codes', 'the same codes and details on both roads', true);
});

const statuses = check('ERR-1', 'read', 'codes have the status of the table', async (stage) => {
  const me = await stage.actor();
  const answers = [
    await me.call('utility.status', { signing: { off: true } }),
    await me.call('orders.get', { params: { id: 'no_such_order' } }),
    await me.call('market.price', { params: { symbol: 'NO-SUCH' } }),
    await me.call('orders.list', { query: { limit: 'many' } }),
    await me.raw({ method: 'GET', path: '/v1/nothing-here' }),
  ];
  for (const { status, body } of answers) {
    shaped(errorEnvelope, body, `the envelope of a ${status}`);
    const { code } = body.error;
    that(isErrorCode(code), 'a known code', code);
    equal(status, ERROR_CODES[code as keyof typeof ERROR_CODES].status, `status of ${code}`);
    that(typeof body.error.message === 'string', `a message with ${code}`, body.error);
  }
});

const wrongMethod = check('ERR-1', 'write', 'a method that a path does not take', async (stage) => {
  const me = await stage.actor();
  const { path } = stage.dialect.endpoints['utility.status'];
  const answer = await me.raw({ method: 'PUT', path: `/v1${path}` });
  refused(answer, 405, 'method_not_allowed', 'a PUT of the status');
});

export const limitChecks: readonly Check[] = [
  listed,
  charged,
  launches,
  tiers,
  perKey,
  vocabulary,
  statuses,
  wrongMethod,
  exceeded,
];
