import { describe, expect, expectTypeOf, test } from 'vitest';
import { COMMAND_NAMES, COMMANDS, type CommandArgs } from '../../src/contract/commands.ts';
import { defaultDialect } from '../../src/contract/dialect.ts';
import type { Exchange } from '../../src/contract/exchange.ts';
import type { OrderResult, ResultsRecord } from '../../src/contract/records.ts';
import type { ServiceSocket } from '../../src/wire/createSocket.ts';
import { createCommands, type Commands } from '../../src/wire/createCommands.ts';
import {
  InvalidRequestError,
  NoAnswerError,
  NotFoundError,
  NotSentError,
  UnexpectedResponseError,
} from '../../src/wire/errors/index.ts';
import { startPaper } from './startPaper.ts';

type LooseCommands = Record<string, (args?: object, options?: object) => Promise<unknown>>;

/** The commands over a socket that records requests and answers all with one exchange. */
function commandsOver(exchange: Exchange) {
  const sent: unknown[][] = [];
  const command: ServiceSocket['command'] = async (...asked) => {
    sent.push(asked);
    return exchange;
  };
  return { commands: createCommands({ command }, defaultDialect), sent };
}

const answered = (body: unknown): Exchange => ({
  kind: 'answered',
  response: { status: 200, headers: {}, body },
});

/** A paper service whose socket is open. */
async function openPaper() {
  const paper = await startPaper();
  const opened = Promise.withResolvers<void>();
  paper.socket.open({
    onFrame: () => opened.resolve(),
    onFault: () => {},
    onStatus: () => {},
  });
  await opened.promise;
  return { ...paper, commands: createCommands(paper.socket, paper.dialect) };
}

const camel: Readonly<Record<string, string>> = {
  get_positions: 'getPositions',
  set_position_tpsl: 'setPositionTpsl',
  execute: 'execute',
  stop_all_monitors: 'stopAllMonitors',
};

test('STR-6: every command has its method, and nothing else has one', () => {
  const { commands } = commandsOver(answered({}));
  expect(Object.keys(commands)).toHaveLength(COMMAND_NAMES.length);
  for (const method of Object.values(camel)) expect(commands).toHaveProperty(method);
});

test.each(Object.entries(camel))('%s is sent by %s with its args', async (name, method) => {
  const { commands, sent } = commandsOver({ kind: 'not_sent', reason: 'not_connected' });
  const options = { wallet: 'w', idempotencyKey: 'k' };
  const call = (commands as unknown as LooseCommands)[method]!;
  const endpoint = COMMANDS[name as keyof typeof COMMANDS];
  await expect(call({ a: 1 }, options)).rejects.toThrow(endpoint);
  expect(sent).toEqual([[name, { a: 1 }, options]]);
});

describe('what a method throws', () => {
  test('unsent requests, apart from those that may have been executed', async () => {
    const notSent = commandsOver({ kind: 'not_sent', reason: 'not_connected' }).commands;
    const lost = commandsOver({ kind: 'no_answer', reason: 'connection_lost' }).commands;
    await expect(notSent.getFills()).rejects.toBeInstanceOf(NotSentError);
    await expect(lost.getFills()).rejects.toBeInstanceOf(NoAnswerError);
  });

  test('a success in another shape', async () => {
    const { commands } = commandsOver(answered({ items: [{ asset: 1 }], next_cursor: null }));
    await expect(commands.getBalances()).rejects.toBeInstanceOf(UnexpectedResponseError);
  });
});

describe('the commands against the paper service', () => {
  test('STR-6, ORD-4: an order is placed, read, changed and cancelled', async () => {
    const { commands, client } = await openPaper();
    const resting = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit' } as const;
    const placed = await commands.placeOrder(
      { ...resting, price: 50, client_order_id: 'mine' },
      { idempotencyKey: 'key-1' },
    );
    expect(placed).toMatchObject({ status: 'open', queued: false, idempotency_key: 'key-1' });
    expect((await commands.getOrders({ symbol: 'BTC' })).items).toHaveLength(1);
    expect(await commands.modifyOrder({ id: 'client:mine', price: 49 })).toMatchObject({
      price: 49,
    });
    const cancelled = await commands.cancelOrder({ id: placed.order_id });
    expect(cancelled).toEqual(await client.orders.get({ id: placed.order_id }));
    await commands.placeOrder({ ...resting, price: 51 });
    const { results } = await commands.bulkCancel({ symbol: 'BTC' });
    expect(results).toMatchObject([{ ok: true }]);
  });

  test('a fill, the position, its protection and its leverage', async () => {
    const { commands } = await openPaper();
    const leverage = { symbol: 'BTC', leverage: 5, mode: 'cross' } as const;
    expect(await commands.setLeverage(leverage)).toMatchObject({ leverage: 5 });
    await commands.placeOrder({ symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'market' });
    expect((await commands.getFills()).items).toMatchObject([{ liquidity: 'taker' }]);
    expect((await commands.getPositions()).items).toMatchObject([{ size: 0.1, leverage: 5 }]);
    expect((await commands.getBalances()).items).toMatchObject([{ asset: 'USDC' }]);
    const legs = await commands.setPositionTpsl({ symbol: 'BTC', stop_loss: { price: 10_000 } });
    expect(legs.legs.stop_loss).toMatchObject({ form: 'price', status: 'armed' });
  });

  test('EXE-2, EXE-7: a launch, and a batch that says by id what became of it', async () => {
    const { commands } = await openPaper();
    const launched = await commands.execute(
      {
        algo: 'pacemaker',
        symbol: 'BTC',
        side: 'buy',
        total_size: 1,
        params: { duration_seconds: 600 },
      },
      { idempotencyKey: 'launch-1' },
    );
    const ids = [launched.execution_id, 'exe_nobody'];
    const { results } = await commands.batchExecutions({ action: 'stop', ids });
    expect(results).toMatchObject([{ ok: true }, { ok: false, error: { code: 'not_found' } }]);
  });

  test('ERR-1: refusals are the same typed errors as by REST, field by field', async () => {
    const { commands, client } = await openPaper();
    const body = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit', price: -1 } as const;
    const byRest = await client.orders.place({ body }).catch((error: unknown) => error);
    const bySocket = await commands.placeOrder(body).catch((error: unknown) => error);
    expect(bySocket).toBeInstanceOf(InvalidRequestError);
    expect((bySocket as InvalidRequestError).details).toEqual(
      (byRest as InvalidRequestError).details,
    );
    expect((bySocket as InvalidRequestError).status).toBe(422);
    await expect(commands.cancelOrder({ id: 'ord_99' })).rejects.toBeInstanceOf(NotFoundError);
    await expect(commands.getPositions({}, { wallet: 'nobody' })).rejects.toMatchObject({
      code: 'unknown_wallet',
    });
  });

  test('a command for another wallet acts on that wallet', async () => {
    const { commands, client } = await openPaper();
    const body = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit', price: 50 } as const;
    await commands.placeOrder(body, { wallet: 'second' });
    expect((await client.orders.list()).items).toHaveLength(0);
    expect((await client.orders.list({ wallet: 'second' })).items).toHaveLength(1);
  });
});

test('the types follow the tables', () => {
  expectTypeOf<Commands['placeOrder']>().returns.resolves.toEqualTypeOf<OrderResult>();
  expectTypeOf<Commands['stopAllMonitors']>().returns.resolves.toEqualTypeOf<ResultsRecord>();
  expectTypeOf<Commands['stopAllMonitors']>().toBeCallableWith();
  expectTypeOf<CommandArgs<'set_leverage'>['leverage']>().toEqualTypeOf<number>();
  const { commands } = commandsOver(answered({}));
  const never = async (): Promise<void> => {
    // @ts-expect-error an order needs its size
    await commands.placeOrder({ symbol: 'BTC', side: 'buy', order_type: 'market' });
    // @ts-expect-error a cancel names its order
    await commands.cancelOrder();
    const launch = { algo: 'flowscale', symbol: 'BTC', side: 'buy', total_size: 1 } as const;
    await commands.execute({ ...launch, params: { participation: 0.1 } });
  };
  expect(never).toBeTypeOf('function');
});
