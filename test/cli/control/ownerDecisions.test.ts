import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  collectAdoption,
  collectSymbol,
  decisionsOf,
} from '../../../src/cli/control/ownerDecisions.ts';
import type { BotConfig } from '../../../src/config/index.ts';
import { root } from '../../sourceFiles.ts';
import { runMain } from '../runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-owners-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'bot.yaml');
writeFileSync(
  file,
  `name: paper
link: { kind: paper }
paper: { speed: max, feeds: [{ symbol: BTC, interval: 1m, generate: { bars: 100 } }] }
journal: memory
strategies: [{ name: mine, use: ${join(root, 'strategies/emaTrend.ts')}, symbols: [BTC] }]
`,
);

test.each(['--ignore BTC', '--flatten BTC', '--adopt BTC=mine'])(
  '%s on the embedded paper service is refused with its purpose',
  async (flag) => {
    const { code, err } = await runMain('run', file, ...flag.split(' '), '--no-report');
    expect(code).toBe(2);
    expect(err).toContain(`${flag}: a run on the embedded paper service`);
    expect(err).toContain('TRIMTAB_USAGE');
  },
);

test.each(['BTC', 'BTC=', '=trend', 'BTC=trend=other', 'BTC=trend='])(
  '--adopt %s names no symbol and strategy',
  (text) => {
    expect(() => collectAdoption(text)).toThrow('It takes SYMBOL=STRATEGY');
  },
);

test('adoptions come together', () => {
  expect(collectAdoption('ETH=b', collectAdoption('BTC=a'))).toEqual([
    { kind: 'adopt', symbol: 'BTC', strategy: 'a' },
    { kind: 'adopt', symbol: 'ETH', strategy: 'b' },
  ]);
});

test.each(['ignore', 'flatten'] as const)(
  'every --%s counts, not the first or the last alone',
  (kind) => {
    const collect = collectSymbol(kind);
    const found = ['BTC', 'second:ETH', 'SOL'].reduce<ReturnType<typeof collect> | undefined>(
      (before, text) => collect(text, before),
      undefined,
    );
    expect(found).toEqual(['BTC', 'second:ETH', 'SOL'].map((symbol) => ({ kind, symbol })));
    expect(() => collect(' ')).toThrow('It takes a symbol');
  },
);

const ignore = { kind: 'ignore', symbol: 'BTC' } as const;
const flatten = { kind: 'flatten', symbol: 'BTC' } as const;
const adopt = (strategy: string) => ({ kind: 'adopt', symbol: 'BTC', strategy }) as const;

const at = (kind: 'ignore' | 'flatten', symbol: string) => ({ kind, symbol }) as const;
/** Two strategies, on a wallet each. */
const live = {
  link: { kind: 'live' },
  strategies: [
    { name: 'a', wallet: 'main' },
    { name: 'b', wallet: 'second' },
  ],
} as unknown as BotConfig;

test.each([
  [{ ignore: [ignore], flatten: [flatten] }, '--ignore BTC and --flatten BTC'],
  [{ adopt: [adopt('a')], flatten: [flatten] }, '--adopt BTC=a and --flatten BTC'],
  [
    { ignore: [ignore], flatten: [at('flatten', 'main:BTC')] },
    '--ignore BTC and --flatten main:BTC',
  ],
  [
    { ignore: [at('ignore', 'second:BTC')], flatten: [flatten] },
    '--ignore second:BTC and --flatten BTC',
  ],
  [
    { adopt: [adopt('b')], ignore: [at('ignore', 'second:BTC')] },
    '--adopt BTC=b and --ignore second:BTC',
  ],
])('two decisions on one position are refused: %j', (flags, words) => {
  expect(() => decisionsOf(flags, live)).toThrow(`${words} contradict each other`);
});

test('decisions about a symbol on two wallets do not contradict each other', () => {
  const flags = { adopt: [adopt('a')], flatten: [at('flatten', 'second:BTC')] };
  expect(decisionsOf(flags, live)).toEqual([
    adopt('a'),
    { kind: 'flatten', symbol: 'BTC', wallet: 'second' },
  ]);
  const both = { ignore: [at('ignore', 'main:BTC')], flatten: [at('flatten', 'second:BTC')] };
  expect(decisionsOf(both, live)).toHaveLength(2);
});

test('a symbol may have a colon, with a wallet and without', () => {
  const flags = { ignore: [at('ignore', 'xyz:TSLA'), at('ignore', 'main:xyz:TSLA')] };
  expect(decisionsOf(flags, live)).toEqual([
    { kind: 'ignore', symbol: 'xyz:TSLA' },
    { kind: 'ignore', symbol: 'xyz:TSLA', wallet: 'main' },
  ]);
});

test('accepts one decision per symbol, a repeated decision, and two adoptions', () => {
  const eth = { kind: 'flatten', symbol: 'ETH' } as const;
  expect(decisionsOf({ ignore: [ignore, ignore], flatten: [eth] }, live)).toHaveLength(3);
  expect(decisionsOf({ adopt: [adopt('a'), adopt('b')] }, live)).toHaveLength(2);
});
