import { describe, expect, test } from 'vitest';
import { adoptionRefusal } from '../../../src/operate/run/adoptionRefusal.ts';
import { openPositions } from '../../../src/operate/run/describeLeft.ts';
import { endServiceRun, KeyRefused } from '../../../src/operate/run/endServiceRun.ts';

const COUNTS = { emitted: 9, denied: 1, accepted: 5, rejected: 1, unknown: 0, expired: 2 };
const LEDGER = {
  fills: 3,
  fees: 1,
  funding: -2,
  netPnl: 10,
  maxDrawdown: 4,
  maxDrawdownShare: 0.1,
};

interface Left {
  unended?: string[];
  unanswered?: { instance: string; key: string }[];
  waiting?: { key: string }[];
}

/** The end of a bot with two strategies, of which its stop leaves this. */
async function end(left: Left, fatal?: unknown, unstopped?: unknown) {
  const said: (readonly string[])[] = [];
  const ends: string[] = [];
  const failures: unknown[] = [];
  const asked: unknown[] = [];
  const { unended = [], unanswered = [], waiting = [] } = left;
  const book = { openPositions: () => [] };
  const bot = {
    async stop({ onEnded, ...rest }: { onEnded(of: unknown): void }) {
      asked.push(rest);
      const about = { kind: 'launch', symbol: 'BTC', wallet: 'main', state: 'unknown' };
      onEnded({
        working: [],
        unended,
        unanswered: unanswered.map((one) => ({ ...about, ...one })),
        waiting: waiting.map((one) => ({ ...about, instance: 'one', state: 'deferred', ...one })),
      });
      if (unstopped !== undefined) throw unstopped;
    },
    book: () => book,
    spotPositions: () => [],
    ledgerOf: () => ({ summary: () => LEDGER }),
    coverage: { uncovered: () => [], totalSeconds: () => 7, longestSeconds: () => 6 },
  };
  const strategies = [
    { name: 'one', wallet: 'main' },
    { name: 'two', wallet: 'main' },
  ];
  const record = {
    counts: () => COUNTS,
    drawdown: { amount: 4, share: 0.1 },
    rateLimited: 2,
    hash: () => 'hash',
    refusals: [],
    lives: [],
    liquidations: [],
  };
  const result = await endServiceRun({
    bot,
    config: { strategies, stopPolicy: 'flatten', stopMs: 1_500 },
    plan: { strategies },
    record,
    fatal,
    commands: {
      end(how: string, failure: unknown) {
        ends.push(how);
        failures.push(failure);
      },
    },
    onLeft: (lines: readonly string[]) => void said.push(lines),
  } as never);
  expect(asked).toEqual([{ policy: 'flatten', limitMs: 1_500 }]);
  return { result, said, ends, failures };
}

describe('a stop that was asked for', () => {
  test('and ended everything is in order, and says nothing', async () => {
    const { result, said, ends, failures } = await end({});
    expect([said, ends, failures]).toEqual([[], ['in_order'], [undefined]]);
    expect(result).toMatchObject({
      ok: true,
      value: { figures: { totals: { funding: -4, fees: 2, pnl: 20, fills: 6 } } },
    });
  });

  // The watchdog still has to end what the bot could not.
  test('and could not end something is none for the watchdog', async () => {
    const { said, ends, failures } = await end({ unended: ['main: order o1'] });
    expect([said, ends]).toEqual([[['NOT ENDED: main: order o1']], ['failed']]);
    const message = 'NOT ENDED: main: order o1';
    expect(failures).toEqual([{ code: 'TRIMTAB_BOT_UNENDED', message }]);
  });

  test('with an intent that has no answer, or an exit that was never sent, says so to the alerts', async () => {
    const unanswered = [
      { instance: 'two', key: 'k1' },
      { instance: 'gone', key: 'k2' },
    ];
    const { result, said } = await end({ unanswered, waiting: [{ key: 'k3' }] });
    expect(said).toEqual([
      [
        expect.stringMatching(/^UNKNOWN: .*of two.*key k1$/),
        expect.stringMatching(/^UNKNOWN: .*of gone.*key k2$/),
        expect.stringMatching(/^NOT SENT: .*an exit that was never sent, key k3$/),
      ],
    ]);
    // What a strategy left that is gone is in the totals all the same.
    expect(result).toMatchObject({
      ok: true,
      value: {
        figures: {
          strategies: [
            { name: 'one', intents: { unknown: 0 } },
            { name: 'two', intents: { unknown: 1 } },
          ],
          totals: { intents: { unknown: 2 } },
        },
      },
    });
  });
});

test.each([
  [new Error('the disk is full'), 'TRIMTAB_BOT_FATAL', 'the disk is full'],
  [new KeyRefused('refused for an hour'), 'TRIMTAB_SERVICE_KEY_REFUSED', 'refused for an hour'],
])('an end by %s is a failure, with what is left', async (fatal, code, message) => {
  const { result, said, ends } = await end({ unended: ['main: order o1'] }, fatal);
  expect(result).toEqual({
    ok: false,
    failure: { code, message: `${message}\n  NOT ENDED: main: order o1` },
  });
  // Who ends by a failure records it as one elsewhere: nothing here calls it in order.
  expect([said.length, ends]).toEqual([1, []]);
});

test('a stop that fails, too, is named behind what ended the bot, and is the failure where nothing else is', async () => {
  const unstopped = new Error('the journal is gone');
  const left = { unended: ['main: order o1'] };
  const { result } = await end(left, new Error('the disk is full'), unstopped);
  expect(result).toMatchObject({ ok: false, failure: { code: 'TRIMTAB_BOT_FATAL' } });
  const { message } = (result as { failure: { message: string } }).failure;
  const places = ['the disk is full', 'the journal is gone', 'NOT ENDED: main: order o1'].map(
    (part) => message.indexOf(part),
  );
  expect(places[0]).toBe(0);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  await expect(end(left, undefined, unstopped)).rejects.toBe(unstopped);
});

test('a position is said to have its stop only where all of it is covered', () => {
  const rows = [
    { symbol: 'BTC', side: 'long', size: 2, entry_price: 100 },
    { symbol: 'ETH', side: 'short', size: 3, entry_price: 50 },
    { symbol: 'SOL', side: 'long', size: 4, entry_price: 10 },
  ];
  const others = [
    { symbol: 'BTC', side: 'short', size: 7, entry_price: 110 },
    { symbol: 'ETH', side: 'short', size: 8, entry_price: 60 },
    { symbol: 'SOL', side: 'long', size: 9, entry_price: 11 },
  ];
  const bot = {
    coverage: {
      uncovered: () => [
        { wallet: 'main', symbol: 'ETH' },
        { wallet: 'other', symbol: 'BTC' },
      ],
    },
    book: (wallet: string) => ({ openPositions: () => (wallet === 'main' ? rows : others) }),
    ownerOf: (wallet: string, symbol: string) => ({
      kind: wallet === 'main' && symbol === 'SOL' ? 'ignored' : 'owned',
    }),
    spotPositions: (wallet: string) =>
      wallet === 'main'
        ? [
            { symbol: 'BTC/USDC', size: 2, price: 30, standing: { kind: 'owned' } },
            { symbol: 'ETH/USDC', size: 2, standing: { kind: 'orphan' } },
            { symbol: 'HYPE/USDC', size: 2, price: 1, standing: { kind: 'unmanaged' } },
          ]
        : [{ symbol: 'BTC/USDC', size: 5, price: 30, standing: { kind: 'owned' } }],
  };
  const plan = { strategies: [{ wallet: 'main' }, { wallet: 'other' }] };
  expect(openPositions(bot as never, plan as never)).toEqual([
    'main: long 2 BTC at 100, with its stop',
    'main: short 3 ETH at 50, without a stop of its size',
    'main: long 4 SOL at 10, ignored as asked',
    'main: long 2 BTC/USDC, worth 60',
    'main: long 2 ETH/USDC, of no known price, which no strategy owns',
    'other: short 7 BTC at 110, without a stop of its size',
    'other: short 8 ETH at 60, with its stop',
    'other: long 9 SOL at 11, with its stop',
    'other: long 5 BTC/USDC, worth 150',
  ]);
});

test('a position is adopted by a strategy that trades its symbol, whichever of the flags names it', () => {
  const strategies = [
    { name: 'trend', symbols: ['BTC', 'ETH'] },
    { name: 'grid', symbols: ['SOL'] },
  ] as never;
  const adopt = (symbol: string, strategy: string) =>
    ({ kind: 'adopt', symbol, strategy }) as const;
  const right = adopt('ETH', 'trend');
  const ignored = { kind: 'ignore', symbol: 'DOGE' } as const;
  expect(adoptionRefusal([], strategies)).toBeUndefined();
  expect(adoptionRefusal([right, ignored, adopt('SOL', 'grid')], strategies)).toBeUndefined();
  for (const before of [[], [right], [ignored, right]]) {
    expect(adoptionRefusal([...before, adopt('SOL', 'trend')], strategies)).toMatch(
      /^--adopt SOL=trend: trend trades BTC, ETH only\./,
    );
    expect(adoptionRefusal([...before, adopt('ETH', 'trent')], strategies)).toMatch(
      /^--adopt ETH=trent: no strategy is named so; there are trend, grid\.$/,
    );
  }
});
