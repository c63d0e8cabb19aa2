import { COMMANDS, type CommandName } from '../contract/index.ts';
import { check, type Check } from './Check.ts';
import type { Json } from './kit/Answer.ts';
import { equal, that } from './kit/claims.ts';
import type { Actor } from './kit/createActor.ts';
import type { StreamProbe } from './kit/createStreamProbe.ts';
import type { Stage } from './kit/Stage.ts';
import { openPosition, place, priceAt, priceOf, restingOrder } from './kit/trading.ts';

const READS: readonly CommandName[] = ['get_positions', 'get_balances', 'get_orders', 'get_fills'];

const reads = check('STR-6', 'read', 'reads answer as REST does', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  for (const command of READS) {
    const result = await probe.command(command, {});
    equal([result.type, result.ok], ['result', true], `the result of ${command}`);
    const endpoint = COMMANDS[command];
    equal(result.data, (await me.call(endpoint)).body, `data of ${command}`);
    equal(result.weight, stage.dialect.endpoints[endpoint].weight, `weight of ${command}`);
    that(typeof result.request_id === 'string', `a request_id of ${command}`, result);
    that(typeof result.id === 'string', 'the correlation id', result.id);
  }
});

const refusals = check('STR-6', 'read', 'what is no command is refused', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  const unknown = await probe.command('sing', {});
  equal([unknown.ok, unknown.error?.code], [false, 'unknown_command'], 'an unknown command');
  const wallet = await probe.command('get_orders', {}, { wallet: 'no-such' });
  equal([wallet.ok, wallet.error?.code], [false, 'unknown_wallet'], 'an unknown wallet');
});

/** Sends a command that has to succeed; its weight is the endpoint's. */
async function done(
  stage: Stage,
  probe: StreamProbe,
  command: CommandName,
  args: Record<string, unknown>,
  more: { idempotency_key?: string; wallet?: string } = {},
): Promise<Json> {
  const result = await probe.command(command, args, more);
  that(result.ok === true, `${command} to succeed`, result.error ?? result);
  equal(result.weight, stage.dialect.endpoints[COMMANDS[command]].weight, `weight of ${command}`);
  return result.data;
}

const orders = check(
  'STR-6',
  'paper',
  'orders: place, modify, cancel, bulk cancel',
  async (stage) => {
    const me = await stage.actor();
    const probe = await stage.stream(me);
    const body = await restingOrder(stage, me);
    const leg = { offset: { mult: 2, indicator: 'atr', params: { period: 14 }, interval: '1m' } };
    const order = await done(stage, probe, 'place_order', { ...body, stop_loss: leg });
    equal([order.status, order.queued], ['open', true], 'an order with a leg');
    equal(order.stop_loss?.form, 'offset', 'form of its leg');
    const id = order.order_id;
    const price = priceAt(stage.instrument, body.price, 0.99);
    equal((await done(stage, probe, 'modify_order', { id, price })).price, price, 'modified price');
    equal((await done(stage, probe, 'cancel_order', { id })).status, 'cancelled', 'status');
    await done(stage, probe, 'place_order', body);
    const { results } = await done(stage, probe, 'bulk_cancel', { symbol: body.symbol });
    equal(results.length, 1, 'results of a bulk cancel');
  },
);

const positions = check('STR-6', 'paper', 'positions: legs and leverage', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  const { symbol } = stage.instrument;
  await openPosition(stage, me);
  const { mark } = await priceOf(stage, me);
  const stop_loss = { price: priceAt(stage.instrument, mark, 0.8) };
  const { legs } = await done(stage, probe, 'set_position_tpsl', { symbol, stop_loss });
  equal(legs.stop_loss.status, 'armed', 'status of a leg');
  const { leverage } = await done(stage, probe, 'set_leverage', { symbol, leverage: 7 });
  equal(leverage, 7, 'leverage');
});

const automation = check('STR-6', 'paper', 'executions and monitors', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  const { symbol, size: total_size } = await restingOrder(stage, me);
  const params = { duration_seconds: 600 };
  const args = { algo: 'pacemaker', symbol, side: 'buy', total_size, params };
  const bare = await probe.command('execute', args);
  equal([bare.ok, bare.error?.code], [false, 'idempotency_key_required'], 'execute without a key');
  const key = { idempotency_key: stage.unique() };
  const launched = await done(stage, probe, 'execute', args, key);
  equal(launched.status, 'running', 'status of a launch by command');
  const ids = [launched.execution_id];
  const { results } = await done(stage, probe, 'batch_executions', { action: 'stop', ids });
  equal([results[0]?.id, results[0]?.ok], [ids[0], true], 'results of a batch by command');
  for (const command of [
    'pause_all_monitors',
    'resume_all_monitors',
    'stop_all_monitors',
  ] as const) {
    equal((await done(stage, probe, command, {})).results, [], `results of ${command} without any`);
  }
});

const wallets = check('STR-6', 'paper', 'a command may name a wallet', async (stage) => {
  const me = await stage.actor();
  const other = await stage.cast({ balance: 321 });
  const probe = await stage.stream(me);
  const result = await probe.command('get_balances', {}, { wallet: other.wallet });
  equal([result.ok, result.wallet], [true, other.wallet], 'a read of another wallet');
  equal(result.data.items[0]?.total, 321, 'its balance');
  const order = await place(other, await restingOrder(stage, other));
  const cancel = await probe.command('cancel_order', { id: order.order_id });
  equal([cancel.ok, cancel.error?.code], [false, 'not_found'], "another wallet's order");
});

const spending = check('STR-6', 'paper', 'commands spend the same budget', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  const used = async (actor: Actor): Promise<number> =>
    Number((await actor.call('utility.rateLimits')).body.used);
  const own = stage.dialect.endpoints['utility.rateLimits'].weight;
  const before = await used(me);
  await probe.command('get_orders', {});
  const spent = (await used(me)) - before - own;
  equal(spent, stage.dialect.endpoints['orders.list'].weight, 'weight that a command spent');
});

const scope = check('STR-6', 'paper', 'commands need the same scopes', async (stage) => {
  const reader = await stage.cast({ scopes: ['read'] });
  const probe = await stage.stream(reader);
  for (const [name, endpoint] of Object.entries(COMMANDS)) {
    const wanted = stage.dialect.endpoints[endpoint].scope;
    if (wanted === 'read') continue;
    const args = { id: 'x', symbol: 'x' };
    const { ok, error } = await probe.command(name, args, { idempotency_key: stage.unique() });
    const seen = [ok, error?.code, error?.details?.required_scope];
    equal(seen, [false, 'insufficient_scope', wanted], `${name} with scope read only`);
  }
});

export const commandChecks: readonly Check[] = [
  reads,
  refusals,
  orders,
  positions,
  automation,
  wallets,
  spending,
  scope,
];
