import {
  ENDPOINT_IDS,
  SCOPES,
  type EndpointId,
  type EndpointSpec,
  type Scope,
} from '../contract/index.ts';
import { check, type Check } from './Check.ts';
import type { Answer } from './kit/Answer.ts';
import { accepted, equal, refused, that } from './kit/claims.ts';
import type { Signing } from './kit/createActor.ts';
import {
  launch,
  openPosition,
  pacemakerTime,
  priceOf,
  restingOrder,
  tradeSize,
} from './kit/trading.ts';

const STATUS: EndpointId = 'utility.status';

/** A service may count wrong signatures against a key: a run that only reads sends one, and the others are `write`. */
const wrongSignatures: ReadonlyArray<[name: string, signing: Signing]> = [
  ['another method', { instead: { method: 'POST' } }],
  ['another path', { instead: { path: '/v1/other' } }],
  ['a body that was not sent', { instead: { body: '{}' } }],
];

const signed = check(
  'AUTH-1',
  'read',
  'signed requests pass, anything else is 401',
  async (stage) => {
    const me = await stage.actor();
    accepted(await me.call(STATUS), 'a signed request');
    const wrong = await me.call(STATUS, { signing: { secret: 'vs_not_the_secret' } });
    refused(wrong, 401, 'invalid_signature', 'a signature with another secret');
    const bare = await me.call(STATUS, { signing: { off: true } });
    refused(bare, 401, 'missing_credentials', 'a request without credentials');
    const stranger = await me.call(STATUS, { signing: { keyId: 'vk_nobody_has_this_key' } });
    refused(stranger, 401, 'unknown_key', 'an unknown key');
  },
);

const signedParts = check(
  'AUTH-1',
  'write',
  'method, path and body are what is signed',
  async (stage) => {
    const me = await stage.actor();
    for (const [name, signing] of wrongSignatures) {
      const answer = await me.call(STATUS, { signing });
      refused(answer, 401, 'invalid_signature', `a signature with ${name}`);
    }
  },
);

const eachHeader = check(
  'AUTH-1',
  'write',
  'each of the three headers is needed',
  async (stage) => {
    const me = await stage.actor();
    for (const name of ['Api-Key-Id', 'Timestamp', 'Signature']) {
      const headers = { [`X-Service-${name}`]: undefined };
      refused(
        await me.call(STATUS, { headers }),
        401,
        'missing_credentials',
        `a call without ${name}`,
      );
    }
  },
);

const lowercase = check('AUTH-1', 'write', 'the signature is lowercase hex', async (stage) => {
  const me = await stage.actor();
  const written = (signature: string): string => signature.toUpperCase();
  const answer = await me.call(STATUS, { signing: { written } });
  refused(answer, 401, 'invalid_signature', 'an upper-case signature');
});

const exactBody = check(
  'AUTH-2',
  'read',
  'the exact body text is what is signed',
  async (stage) => {
    const me = await stage.actor();
    const { symbol } = stage.instrument;
    const item = '{ "id" : "a",\n "indicator":"sma" , "params": {"period": 5.0} }';
    const bodyText = `{"symbol":${JSON.stringify(symbol)},  "interval" : "1m", "indicators":[${item}]}`;
    accepted(await me.call('market.evaluate', { bodyText }), 'a body with odd spacing');
  },
);

const respacedBody = check(
  'AUTH-2',
  'write',
  'the same JSON with other spaces has another signature',
  async (stage) => {
    const me = await stage.actor();
    const asked = { bodyText: '{"a": 1}', signing: { instead: { body: '{"a":1}' } } };
    const answer = await me.call('market.evaluate', asked);
    refused(answer, 401, 'invalid_signature', 'a re-spaced signature');
  },
);

const contentType = check('AUTH-2', 'read', 'a body comes as application/json', async (stage) => {
  const me = await stage.actor();
  const bodyText = '{}';
  const headers = { 'Content-Type': 'text/plain' };
  const answer = await me.call('market.evaluate', { bodyText, headers });
  refused(answer, 415, 'unsupported_media_type', 'a body of another type');
  refused(await me.call('market.evaluate', { bodyText: '{oops' }), 400, 'invalid_json');
});

const session = check(
  'AUTH-3',
  'read',
  'cookies and bearer tokens alone are 401',
  async (stage) => {
    const me = await stage.actor();
    for (const headers of [{ Cookie: 'session=abc' }, { Authorization: 'Bearer abc' }]) {
      const alone = await me.call(STATUS, { headers, signing: { off: true } });
      refused(alone, 401, 'session_credentials_refused', Object.keys(headers)[0]);
      accepted(await me.call(STATUS, { headers }), 'a signed request with a session beside it');
    }
  },
);

/** A value for each parameter of a path: scope is checked before anything is looked up. */
const anyParams = (spec: EndpointSpec): Record<string, string> =>
  Object.fromEntries([...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name ?? '', 'x']));

const scopes = check('AUTH-4', 'paper', 'every endpoint asks for its scope', async (stage) => {
  for (const missing of SCOPES) {
    const others = SCOPES.filter((scope) => scope !== missing);
    const actor = await stage.cast({ scopes: others });
    for (const id of ENDPOINT_IDS) {
      const spec = stage.dialect.endpoints[id];
      if (spec.scope !== missing) continue;
      const body = spec.body === null ? {} : { body: {} };
      const answer = await actor.call(id, { params: anyParams(spec), ...body });
      const details = refused(answer, 403, 'insufficient_scope', `${id} without ${missing}`);
      equal(details.required_scope, missing, `required_scope of ${id}`);
    }
  }
  stage.found('endpoints.scopes', 'every endpoint asks for the scope of the table', true);
});

const bodyScopes = check('AUTH-4', 'paper', 'a body can ask for a further scope', async (stage) => {
  const wallet = (await stage.cast({})).wallet;
  const trader = await stage.cast({ scopes: ['read', 'trade'], wallet });
  const launcher = await stage.cast({ scopes: ['read', 'algo'], wallet });
  const { size } = await openPosition(stage, trader);
  const { symbol } = stage.instrument;
  const { mark } = await priceOf(stage, trader);
  const needs = (answer: Answer, scope: Scope, what: string): void => {
    const details = refused(answer, 403, 'insufficient_scope', what);
    equal(details.required_scope, scope, `required_scope of ${what}`);
  };
  const unwind = {
    unwind_algo: 'pacemaker',
    unwind_params: { duration_seconds: pacemakerTime(stage) },
  };
  const leg = { price: sizelessStop(mark), exit_style: 'algo_unwind', ...unwind };
  const params = { symbol };
  const attach = await trader.call('positions.attachLegs', { params, body: { stop_loss: leg } });
  needs(attach, 'algo', 'an unwinding leg');
  const close = { algo: 'pacemaker', params: { duration_seconds: pacemakerTime(stage) } };
  const closing = await trader.call('positions.close', { params, body: close });
  needs(closing, 'algo', 'a close by algorithm');
  const order = { symbol, side: 'buy', size, order_type: 'market' };
  const trigger = { type: 'price_level', symbol, price: sizelessStop(mark), direction: 'below' };
  const body = { trigger, action: { type: 'order', request: order } };
  needs(await launcher.call('monitors.create', { body }), 'trade', 'a monitor that orders');
});

const sizelessStop = (mark: number): number => Math.floor(mark * 0.8);

const linkedWallet = check('AUTH-5', 'paper', 'a key needs a linked wallet', async (stage) => {
  const unlinked = { label: stage.unique(), balance: 0, status: 'unlinked' };
  const { id } = await stage.paper.createConnection(unlinked);
  const wanted = JSON.stringify({ label: 'x', scopes: ['read'], connection_id: id });
  const headers = { 'Content-Type': 'application/json' };
  const asked = { method: 'POST', path: '/paper/keys', bodyText: wanted, headers };
  refused(await stage.plain(asked), 409, 'wallet_not_linked', 'a key on an unlinked wallet');
});

const secretOnce = check('AUTH-5', 'paper', 'a secret is shown once', async (stage) => {
  const made = await stage.paper.createKey({ label: stage.unique(), scopes: ['read'] });
  that(made.key_id.startsWith('vk_'), 'a key id that begins vk_', made.key_id);
  that(made.secret.startsWith('vs_'), 'a secret that begins vs_', 'another beginning');
  const list = JSON.stringify(await stage.paper.keys());
  that(list.includes(made.key_id), 'the key in the list of keys', list);
  that(!list.includes(made.secret) && !list.includes('"secret"'), 'no secret in the list', 'one');
  await stage.paper.revokeKey(made.key_id);
});

const mandatoryKey = check(
  'AUTH-6',
  'write',
  'a launch without a key is refused',
  async (stage) => {
    const me = await stage.actor();
    const body = { ...(await restingOrder(stage, me)), algo: 'pacemaker' };
    const answer = await me.call('executions.launch', { body });
    refused(answer, 400, 'idempotency_key_required', 'a launch without Idempotency-Key');
  },
);

const retainedKey = check(
  'AUTH-6',
  'write',
  'keys are kept on orders and echoed',
  async (stage) => {
    const me = await stage.actor();
    const idempotencyKey = stage.unique();
    const body = await restingOrder(stage, me);
    const answer = await me.call('orders.place', { body, idempotencyKey });
    const order = accepted(answer, 'an order with a key');
    equal(answer.headers['idempotency-key'], idempotencyKey, 'the echoed Idempotency-Key');
    equal(order.idempotency_key, idempotencyKey, 'idempotency_key of the record');
    const params = { id: order.order_id };
    const read = accepted(await me.call('orders.get', { params }), 'the order');
    equal(read.idempotency_key, idempotencyKey, 'idempotency_key of the record read again');
    accepted(await me.call('orders.cancel', { params }), 'its cancel');
  },
);

const childKeys = check(
  'AUTH-6',
  'paper',
  "child orders carry their launch's key",
  async (stage) => {
    const me = await stage.cast({});
    const { symbol } = stage.instrument;
    const { mark } = await priceOf(stage, me);
    const total_size = tradeSize(stage, 2_000, mark);
    const params = { duration_seconds: pacemakerTime(stage, 120), slices: 2 };
    const body = { algo: 'pacemaker', symbol, side: 'buy', total_size, params };
    const launched = accepted(await launch(stage, me, body), 'the launch');
    await stage.tape.bars(2);
    const orders = await me.call('executions.orders', { params: { id: launched.execution_id } });
    const { items } = accepted(orders, 'its orders');
    that(items.length > 0, 'child orders after two bars', items);
    for (const order of items) {
      equal(order.idempotency_key, launched.idempotency_key, 'idempotency_key of a child order');
    }
  },
);

const requestIds = check('AUTH-7', 'read', 'every response names its request', async (stage) => {
  const me = await stage.actor();
  const name = stage.dialect.headers.requestId.toLowerCase();
  const answers = [
    await me.call(STATUS),
    await me.call('connections.list'),
    await me.call('orders.get', { params: { id: 'no_such_order' } }),
    await me.call(STATUS, { signing: { off: true } }),
    await me.raw({ method: 'GET', path: '/v1/no-such-path' }),
  ];
  const ids = answers.map(({ headers }) => headers[name]);
  that(
    ids.every((id) => id !== undefined && id !== ''),
    `${name} on every response`,
    ids,
  );
  equal(new Set(ids).size, ids.length, 'number of different request ids');
  for (const { status, body, headers } of answers.slice(2)) {
    equal(body?.request_id, headers[name], `request_id in the envelope of a ${status}`);
  }
  stage.found('headers.requestId', `${name} on every response`, true);
});

const unsigned = check('AUTH-9', 'read', 'health is unsigned and weighs nothing', async (stage) => {
  const { path } = stage.dialect.endpoints['utility.health'];
  const answer = await stage.plain({ method: 'GET', path: `/v1${path}` });
  equal(answer.status, 200, 'status of an unsigned health request');
  const weight = answer.headers[stage.dialect.headers.weight.toLowerCase()];
  that(weight === undefined || weight === '0', 'health to weigh nothing', weight);
});

const noWithdrawal = check('AUTH-9', 'read', 'no endpoint moves funds out', async (stage) => {
  const me = await stage.actor();
  const { items } = accepted(
    await me.call('utility.weights', { query: { limit: stage.dialect.limits.pageMax } }),
    'weights',
  );
  const paths = items.map((row: { path: string }) => row.path);
  const moving = paths.filter((path: string) => /withdraw|transfer|payout/i.test(path));
  equal(moving, [], 'paths that move funds');
  for (const path of ['/v1/withdraw', '/v1/transfer', '/v1/account/withdraw']) {
    refused(await me.raw({ method: 'GET', path }), 404, 'not_found', path);
  }
});

const unsignedHooks = check('AUTH-9', 'write', 'inbound webhooks are unsigned', async (stage) => {
  const path = `/v1${stage.dialect.endpoints['webhooks.inbound'].path}`;
  const target = path.replace('{token}', 'no-such-token');
  const answer = await stage.plain({ method: 'POST', path: target, bodyText: 'alert' });
  refused(answer, 404, 'not_found', 'an alert to an unknown token');
});

export const authChecks: readonly Check[] = [
  signed,
  signedParts,
  eachHeader,
  lowercase,
  exactBody,
  respacedBody,
  contentType,
  session,
  scopes,
  bodyScopes,
  linkedWallet,
  secretOnce,
  mandatoryKey,
  retainedKey,
  childKeys,
  requestIds,
  unsigned,
  noWithdrawal,
  unsignedHooks,
];
