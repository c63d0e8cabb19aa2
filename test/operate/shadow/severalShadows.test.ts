/** The shadows of a bot together: what each of them sees, what is compared, and the files that they leave. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import type { Link, LinkListener, Timers } from '../../../src/env/index.ts';
import { openShadows } from '../../../src/operate/shadow/index.ts';
import type { ToShadow } from '../../../src/operate/shadow/ShadowMessage.ts';
import type { PaperSettings } from '../../../src/paper/index.ts';
import type { Bot, BotPlan } from '../../../src/runtime/index.ts';
import { createLedger } from '../../../src/runtime/record/createLedger.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-shadows-'));
afterAll(() => rmSync(folder, { recursive: true }));

const minute = (count: number): number => count * 60_000;
const candle = (at: number) => ({
  time: minute(at),
  open: 100,
  high: 100,
  low: 100,
  close: 100,
  volume: 1,
  closed: true,
});
const warned: string[] = [];
const log: Parameters<typeof openShadows>[0]['env']['log'] = {
  debug: () => {},
  info: () => {},
  warn: (message) => void warned.push(message),
  error: () => {},
  with: () => log,
};

/** Two strategies with a shadow each, whose threads do nothing by themselves, beside a bot that the test plays. */
function open(journal: string, { keepAll = false, isolation = undefined as unknown } = {}) {
  const threads: Array<{
    posted: ToShadow[];
    say: (message: unknown) => void;
    memoryMb: number;
  }> = [];
  const due: Array<() => void> = [];
  const limits: number[] = [];
  const after: Timers['after'] = (ms, run) => {
    limits.push(ms);
    // The limit of a turn is longer.
    if (ms <= 1_000) due.push(run);
    return () => {};
  };
  const shadow = { use: './next.ts', directory: folder, params: {} };
  const shadows = openShadows({
    config: {
      file: join(folder, 'bot.yaml'),
      seed: 7,
      journal: { path: journal },
    } as unknown as BotConfig,
    plan: {
      strategies: [
        { name: 'one', symbols: ['BTC'], shadow: { ...shadow, isolation } },
        { name: 'plain', symbols: ['SOL'] },
        { name: 'two', symbols: ['ETH'], shadow },
      ],
      instruments: [],
      guards: {},
      markInterval: () => '1m',
    } as unknown as BotPlan,
    paper: { feeds: [] } as unknown as PaperSettings,
    funding: {},
    env: { timers: { after } as Timers, log },
    openThread(_program, { listener, memoryMb }) {
      const posted: ToShadow[] = [];
      threads.push({ posted, say: listener.onMessage, memoryMb });
      return {
        post: (message) => void posted.push(message as ToShadow),
        answer: () => {},
        receive: () => undefined,
        terminate: () => {},
      };
    },
    waits: false,
    keepAll,
  });
  let service: LinkListener | undefined;
  const link = {
    open: async (listener: LinkListener) => void (service = listener),
    subscribe: () => {},
  } as Partial<Link> as Link;
  const tapped = shadows.tap(link);
  void tapped.open({ onFrame: () => {}, onStatus: () => {} });
  const reached: Array<(time: number) => void> = [];
  const ledger = createLedger();
  shadows.follow({
    stageOf: () => 'shadow',
    ledgerOf: () => ledger,
    onInstant: (listener: (time: number) => void) => void reached.push(listener),
    events$: { subscribe: () => {} },
  } as unknown as Bot);
  const send = (symbol: string, interval: string, frame: object): void =>
    service!.onFrame({
      channel: 'candles',
      params: { symbol, interval },
      wallet: '',
      seq: 1,
      ts: 0,
      ...frame,
    } as never);
  const close = (symbol: string, at: number): void =>
    send(symbol, '1m', { event: 'bar_closed', data: candle(at) });
  const begin = (): void => {
    for (const symbol of ['BTC', 'ETH']) for (const at of [0, 1, 2]) close(symbol, at);
  };
  return {
    shadows,
    threads,
    limits,
    tapped,
    send,
    close,
    begin,
    reach: (at: number) => reached.forEach((listener) => listener(minute(at))),
    /** Runs the timers that are due, and says how many there were. */
    wake: () => due.splice(0).map((run) => run()).length,
  };
}

const row = (at: number, outcome = 'accepted') => ({
  cause: `bar:BTC:1m:${minute(at)}`,
  ordinal: 0,
  time: minute(at + 1),
  kind: 'place_order',
  outcome,
});

test('each sees the candles of its own symbols, and is compared anew when something has changed', () => {
  const { shadows, threads, begin } = open('memory');
  begin();
  expect(threads).toHaveLength(2);
  for (const [at, symbol] of ['BTC', 'ETH'].entries()) {
    const bars = threads[at]!.posted.flatMap((message) =>
      message.kind === 'begin' ? message.history : message.kind === 'bars' ? message.bars : [],
    );
    expect(new Set(bars.map((one) => one.symbol))).toEqual(new Set([symbol]));
    expect(threads[at]!.posted[0]?.kind).toBe('begin');
  }
  const countsOf = () => shadows.comparisons().map(({ counts }) => counts.shadow.intents);
  expect(countsOf()).toEqual([0, 0]);
  const [first] = shadows.comparisons();
  // What has not changed is not compared again.
  expect(shadows.comparisons()[0]).toBe(first);
  threads[0]!.say({ kind: 'done', at: minute(9) });
  threads[0]!.say({ kind: 'intents', intents: [3, 4].map((at) => row(at)) });
  expect(countsOf()).toEqual([2, 0]);
  threads[0]!.say({ kind: 'intents', intents: [row(5)] });
  expect(countsOf()).toEqual([3, 0]);
});

test('of more intents than are compared on the page, those of the time that both lists hold are', () => {
  const { shadows, threads, begin } = open('memory', { keepAll: true });
  begin();
  const many = 5_040;
  threads[0]!.say({ kind: 'done', at: minute(many + 9) });
  threads[0]!.say({
    kind: 'intents',
    intents: Array.from({ length: many }, (_none, at) => row(at + 3)),
  });
  const [comparison] = shadows.comparisons();
  expect(comparison).toMatchObject({ cut: true, counts: { shadow: { intents: 5_000 } } });
  // The forty oldest are no longer known there, and what the live version decided at their time.
  expect(comparison!.compared.from).toBe(minute(43) + 1);
});

test('leaves its figures once a second at most, those of its end last, and sets aside what the run before left', async () => {
  const journal = join(folder, 'bot.sqlite');
  const figures = `${journal}.shadow-one.json`;
  writeFileSync(figures, 'of before');
  writeFileSync(`${journal}.shadow-one.sqlite`, 'journal of before');
  const { shadows, threads, begin, reach, wake } = open(journal);
  expect(readFileSync(`${figures}.previous`, 'utf8')).toBe('of before');
  expect([existsSync(figures), existsSync(`${journal}.shadow-one.sqlite`)]).toEqual([false, false]);
  begin();
  for (const at of [3, 4, 5]) reach(at);
  // One for each of the two.
  expect(wake()).toBe(2);
  const read = () => JSON.parse(readFileSync(figures, 'utf8')) as { until: number; state: string };
  expect(read().state).toBe('running');
  for (const at of [6, 7]) reach(at);
  expect(wake()).toBe(2);
  const closed = shadows.close();
  for (const { say } of threads) say({ kind: 'done', at: minute(8), hash: 'abc' });
  await closed;
  expect(read()).toMatchObject({ until: minute(8), state: 'ended' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(read()).toMatchObject({ until: minute(8), state: 'ended' });
  expect(existsSync(`${figures}.new`)).toBe(false);
});

test('figures that can’t be written are named, and the bot ends in order', async () => {
  const journal = join(folder, 'blocked.sqlite');
  const { shadows, threads, begin, reach } = open(journal);
  mkdirSync(`${journal}.shadow-one.json.new`);
  begin();
  reach(3);
  const closed = shadows.close();
  for (const { say } of threads) say({ kind: 'done', at: minute(3), hash: 'abc' });
  await closed;
  expect(warned).toEqual(["The shadow's figures can't be written"]);
  expect(existsSync(`${journal}.shadow-one.json`)).toBe(false);
  expect(existsSync(`${journal}.shadow-two.json`)).toBe(true);
});

test('each has the limits of its own isolation, and the widest without one', () => {
  const isolation = { turnDeadlineMs: 2_500, memoryMb: 64 };
  const { threads, begin, limits } = open('memory', { isolation });
  // A thread may grow within a turn to twice of what it may have at the end of one.
  expect(threads.map(({ memoryMb }) => memoryMb)).toEqual([128, 1_024]);
  begin();
  limits.length = 0;
  for (const { say } of threads) say({ kind: 'ready' });
  expect(limits).toEqual([2_500, 10_000]);
});

test('each begins once the candles of its own symbols that the bot has asked for have come', () => {
  const { threads, tapped, send, close, begin } = open('memory');
  for (const interval of ['1h', '4h'])
    tapped.subscribe({ channel: 'candles', params: { symbol: 'ETH', interval } });
  begin();
  const begun = () => threads.map(({ posted }) => posted[0]?.kind === 'begin');
  expect(begun()).toEqual([true, false]);
  for (const [at, interval] of ['1h', '4h'].entries()) {
    close('ETH', 3 + at);
    expect(begun()).toEqual([true, false]);
    send('ETH', interval, { event: 'snapshot', data: { candles: [] } });
  }
  close('ETH', 5);
  expect(begun()).toEqual([true, true]);
});
