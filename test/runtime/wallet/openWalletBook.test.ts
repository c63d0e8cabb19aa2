import { expect, test } from 'vitest';
import { createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import { openWalletBook } from '../../../src/runtime/wallet/openWalletBook.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { account } from '../../streams/records.ts';
import { openTestBot } from '../openTestBot.ts';

/** A write of the journal's facts fails, at once as SQLite's do or later as a server's do. */
const failing: ReadonlyArray<[string, () => Promise<void>]> = [
  [
    'at once',
    () => {
      throw new Error('ENOSPC: no space left on device');
    },
  ],
  ['later', () => Promise.reject(new Error('ENOSPC: no space left on device'))],
];

test.each(failing)(
  'a day whose start cannot be persisted ends the bot: %s',
  async (_when, fail) => {
    const server = await openTestServer();
    const memory = createMemoryStore();
    const setMeta: JournalStore['setMeta'] = (name, value) =>
      name.startsWith('day:') ? fail() : memory.setMeta(name, value);
    const store = { ...memory, setMeta };
    const failures: string[] = [];
    const reported = await openTestBot(server, {
      store,
      onFatal: (error) => failures.push(String(error)),
    });
    await reported.step(2);
    expect(failures).toEqual(['Error: ENOSPC: no space left on device']);
    await reported.close();
    await server.close();
  },
);

test('each wallet goes on with its own day after a restart', () => {
  const store = createMemoryStore();
  const open = (wallet: string, equity: number) => {
    const book = openWalletBook(wallet, {
      store,
      now: () => 10 * 86_400_000,
      priceOf: () => undefined,
      isListed: () => false,
      isAwaited: () => false,
      onFatal(error) {
        throw error;
      },
    });
    const balances = new Map([['USDC', { asset: 'USDC', total: equity }]]);
    const model = { wallet, complete: true, account: { ...account, equity }, balances };
    book.model({ ...model, positions: new Map(), openOrders: new Map() } as never);
    book.sample();
    return book.dayLoss();
  };
  expect([open('main', 1_000), open('side', 500)]).toEqual([0, 0]);
  const dayOf = (wallet: string): unknown => JSON.parse(store.meta(`day:${wallet}`)!);
  expect(dayOf('main')).toMatchObject({ day: 10, equity: 1_000 });
  expect(dayOf('side')).toMatchObject({ day: 10, equity: 500 });
});
