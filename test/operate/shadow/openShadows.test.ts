/** What the thread of a shadow gets: its venue, its guards and its stops are those of the bot. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import { createLiveEnv, type ThreadSide } from '../../../src/env/index.ts';
import { openShadows } from '../../../src/operate/shadow/index.ts';
import { runShadow } from '../../../src/operate/shadow/runShadow.ts';
import type { FromShadow, ShadowSpec } from '../../../src/operate/shadow/ShadowMessage.ts';
import type { PaperSettings } from '../../../src/paper/index.ts';
import type { BotPlan } from '../../../src/runtime/index.ts';
import { root } from '../../sourceFiles.ts';

const turns = join(root, 'test/operate/shadow/plants/turns.ts');
const rate = { constantRate: 0.0003, intervalMs: 3_600_000 };

function specOf(protection: BotPlan['protection']): ShadowSpec {
  const specs: ShadowSpec[] = [];
  const shadow = { use: turns, directory: root, params: {} };
  const plan = {
    strategies: [
      { name: 'turns', symbols: ['BTC', 'SOL'], shadow },
      { name: 'other', symbols: ['ETH'] },
    ],
    instruments: [{ symbol: 'BTC' }, { symbol: 'ETH' }, { symbol: 'SOL' }],
    guards: { max_order_notional: 3_000 },
    markInterval: (symbol: string) => (symbol === 'BTC' ? '1m' : '5m'),
    ...(protection === undefined ? {} : { protection }),
  } as unknown as BotPlan;
  openShadows({
    config: { file: 'bot.yaml', seed: 7, journal: { path: 'memory' } } as unknown as BotConfig,
    plan,
    paper: { feeds: [{ symbol: 'BTC' }], balance: 5 } as unknown as PaperSettings,
    funding: { BTC: rate, ETH: rate },
    env: createLiveEnv(),
    openThread(_program, { data }) {
      specs.push(data as ShadowSpec);
      return { post: () => {}, answer: () => {}, receive: () => undefined, terminate: () => {} };
    },
    waits: false,
    keepAll: false,
  });
  expect(specs).toHaveLength(1);
  return specs[0]!;
}

test('funding, guards, stops and markets of the bot are the shadow’s', () => {
  expect(specOf('reattach')).toMatchObject({
    protection: 'reattach',
    funding: { BTC: rate },
    guards: { max_order_notional: 3_000 },
    symbols: [
      { symbol: 'BTC', interval: '1m' },
      { symbol: 'SOL', interval: '5m' },
    ],
    instruments: [{ symbol: 'BTC' }, { symbol: 'SOL' }],
    paper: { feeds: [], balance: 5 },
  });
  expect(Object.keys(specOf('off').funding)).toEqual(['BTC']);
  expect(specOf('off').protection).toBe('off');
  expect(specOf(undefined).protection).toBe('off');
});

test.each([
  [100, 0],
  [100.1, 1],
])('of %d MB, where 100 are allowed, %d faults', async (used, count) => {
  const said: FromShadow[] = [];
  let turn: (message: unknown) => void = () => {};
  const side = {
    data: {
      ...specOf('off'),
      dialect: { file: join(root, 'bot.yaml'), dialect: {}, dialectModule: null },
      memoryMb: 100,
    },
    post: (message: FromShadow) => void said.push(message),
    onMessage: (listener: typeof turn) => void (turn = listener),
    onEnd: () => {},
    memoryMb: () => used,
  } as unknown as ThreadSide;
  await runShadow(side);
  turn({ kind: 'bars', bars: [] });
  await expect.poll(() => said.some(({ kind }) => kind === 'done')).toBe(true);
  const faults = said.filter((message) => message.kind === 'fault');
  expect(faults.map(({ reason }) => reason)).toEqual(
    Array(count).fill('It uses 101 MB of memory, and may use 100.'),
  );
});
