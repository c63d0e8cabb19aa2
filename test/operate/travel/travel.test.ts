import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDirectVenue } from '../../../backtest/openDirectVenue.ts';
import { loadConfig } from '../../../src/config/index.ts';
import { createLiveEnv, createRandom } from '../../../src/env/index.ts';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import {
  readRecording,
  writeRecording,
  type RecordingHeader,
} from '../../../src/operate/recording/index.ts';
import { loadTape, runTape } from '../../../src/operate/run/index.ts';
import {
  createBotState,
  type BotView,
  type CandlesView,
} from '../../../src/operate/state/index.ts';
import { travelJournal, travelRecording, type Travel } from '../../../src/operate/travel/index.ts';
import { journalOn, openIntent, rowOf } from '../../journal/journalRows.ts';
import { root } from '../../sourceFiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-travel-'));
afterAll(() => rmSync(folder, { recursive: true }));
const RECORDING = join(folder, 'seen.jsonl');
const JOURNAL = join(folder, 'bot.sqlite');

/** What a reader beside the recording saw of the running bot at each instant. */
const seen: Array<{ time: number; view: BotView; candles: CandlesView; lines: string[] }> = [];
const linesOf = (events: ReadonlyArray<{ text: string; fields: object }>): string[] =>
  events.map(({ text, fields }) => `${text} ${JSON.stringify(fields)}`);
let travel: Travel;

beforeAll(async () => {
  const set = [
    'paper.feeds[0].generate.bars=1700',
    'paper.feeds[1].generate.bars=1700',
    `record=${RECORDING}`,
  ];
  const loaded = await loadConfig(join(root, 'configs/demo.yaml'), {
    overrides: { onPaper: true, journal: JOURNAL, set },
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const tape = await loadTape(loaded);
  if (!tape.ok) throw new Error(tape.failure.message);
  const venue = openDirectVenue(tape.value, { live: createLiveEnv() });
  const run = await runTape({
    tape: tape.value,
    venue,
    progress: { update: () => {}, finish: () => {} },
    isStopped: () => false,
    onBot(bot, plan) {
      const { config } = loaded;
      const now = (): number => venue.link.market.now();
      const state = createBotState({ bot, config, plan, env: venue.env, now, service: null });
      bot.onInstant((time) => {
        const view = { ...structuredClone(state.view()), time };
        const lines = linesOf(state.events(200));
        seen.push({ time, view, candles: state.candles('ETH')!, lines });
      });
    },
  });
  if (!run.ok) throw new Error(run.failure.message);
  expect(run.value.data.fills.length).toBeGreaterThan(10);
  travel = open(RECORDING);
}, 60_000);
afterAll(() => travel.close());

function open(path: string): Travel {
  const opened = travelRecording(path, undefined);
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.value;
}

/** The rows of the recording that hold a whole view or a change of one, in their order. */
function viewRows(): Array<{ time: number; isWhole: boolean }> {
  const rows: Array<{ time: number; isWhole: boolean }> = [];
  readRecording(RECORDING, (row) => {
    if (row[0] === 'view' || row[0] === 'change')
      rows.push({ time: row[1].time, isWhole: row[0] === 'view' });
  });
  return rows;
}

/** The sequence of a view counts what its own reader has seen. */
const shown = ({ blocks, time }: Pick<BotView, 'blocks' | 'time'>) =>
  JSON.parse(JSON.stringify({ blocks, time })) as unknown;

describe('a recording', () => {
  test('shows every block at every instant as a reader of the running bot saw it', () => {
    expect(seen.length).toBeGreaterThan(600);
    const random = createRandom('travel');
    const picked = Array.from({ length: 120 }, () => Math.floor(random.next() * seen.length));
    for (const at of [0, 1, seen.length - 1, ...picked]) {
      const { time, view, lines } = seen[at]!;
      const next = seen[at + 1]?.time ?? time + 1;
      expect(shown(travel.at(time)), new Date(time).toISOString()).toEqual(shown(view));
      expect(linesOf(travel.at(time).events)).toEqual(lines);
      // Until the next instant it stays so.
      expect(shown(travel.at(next - 1))).toEqual(shown(view));
    }
  });

  test('shows the bars that had closed, and what had happened on them', () => {
    for (const { time, candles } of seen.filter((_each, at) => at % 60 === 59)) {
      const then = travel.candles('ETH', time)!;
      const known = new Set(then.time);
      // What the bot had of the time before it started is not recorded.
      const shared = candles.time.filter((bar) => known.has(bar));
      expect(then.time).toEqual(shared);
      expect(then.close).toEqual(candles.close.slice(-shared.length));
      expect(then.time.at(-1)! + then.interval_ms).toBeLessThanOrEqual(time);
      expect(then.fills).toEqual(candles.fills);
      expect(then.intents).toEqual(candles.intents);
    }
    expect(travel.candles('DOGE', travel.about.until)).toBeUndefined();
  });

  test('says whose it is, where it lies, and how far it reaches', () => {
    const views = viewRows();
    expect(travel.about).toEqual({
      name: 'demo',
      source: 'recording',
      path: RECORDING,
      from: views[0]!.time,
      until: views.at(-1)!.time,
      changes: views.length,
      explains: false,
      isComplete: true,
    });
  });

  test('has a whole view after every hundred changes, and changes alone between', () => {
    const views = viewRows();
    const wholes = [...views.entries()].flatMap(([at, { isWhole }]) => (isWhole ? [at] : []));
    const between = wholes.slice(1).map((at, place) => at - wholes[place]! - 1);
    expect(between.length).toBeGreaterThan(3);
    expect(Math.min(...between)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...between)).toBeLessThan(120);
  });

  test('steps from change to change, both ways', () => {
    const { from, until } = travel.about;
    expect(travel.around(from).before).toBeNull();
    expect(travel.around(until).after).toBeNull();
    const times: number[] = [from];
    for (let at = travel.around(from).after; at !== null; at = travel.around(at).after)
      times.push(at);
    expect(times.at(-1)).toBe(until);
    expect(travel.about.changes).toBe(times.length);
    const back: number[] = [];
    for (let at: number | null = until; at !== null; at = travel.around(at).before) back.push(at);
    expect(back.toReversed()).toEqual(times);
    expect(travel.around((times[3]! + times[4]!) / 2)).toEqual({
      before: times[3],
      after: times[4],
    });
  });

  test('before its first view it is the first one, after its last the last', () => {
    const { from, until } = travel.about;
    expect(travel.at(0)).toEqual(travel.at(from));
    expect(travel.at(until + 1e9)).toEqual(travel.at(until));
  });

  test('that was cut off shows what is whole', () => {
    const text = readFileSync(RECORDING, 'utf8');
    const path = join(folder, 'cut.jsonl');
    writeFileSync(path, text.slice(0, text.length * 0.6));
    const cut = open(path);
    expect(cut.about.isComplete).toBe(false);
    expect(cut.about.until).toBeLessThan(travel.about.until);
    expect(cut.at(cut.about.until).blocks).toEqual(travel.at(cut.about.until).blocks);
    void cut.close();
  });

  test('shows the newest lines, of however many there were', async () => {
    const path = join(folder, 'lines.jsonl');
    const header = { format: 'trimtab-recording', version: 1, bot: 'talks', seed: 1 };
    const writer = writeRecording(
      path,
      { ...header, instances: [], instruments: [] } as RecordingHeader,
      (error) => expect(error).toBeUndefined(),
    );
    const lineOf = (at: number) => ({ text: `line ${at}`, fields: {} }) as never;
    const times = (at: number) => ({ sequence: at, time: at, wall_time: at, blocks: {} as never });
    writer.writeView(['view', { ...times(0), control: false, events: [0, 1].map(lineOf) }]);
    for (let at = 2; at < 330; at++)
      writer.writeView(['change', { ...times(at), events: [lineOf(at)] }]);
    writer.close();
    const past = open(path);
    for (const at of [0, 150, 199, 200, 329]) {
      const first = Math.max(0, Math.max(1, at) - 199);
      const count = Math.max(1, at) + 1 - first;
      expect(past.at(at).events.map(({ text }) => text)).toEqual(
        Array.from({ length: count }, (_none, line) => `line ${first + line}`),
      );
    }
    await past.close();
  });

  test('explains an intent with a journal only', async () => {
    const opened = travelRecording(RECORDING, createSqliteReader(JOURNAL));
    if (!opened.ok) throw new Error(opened.failure.message);
    expect([travel.about.explains, opened.value.about.explains]).toEqual([false, true]);
    await opened.value.close();
  });

  test('that has no views is refused with the remedy, and replays as before', () => {
    const path = join(folder, 'old.jsonl');
    const rows = readFileSync(RECORDING, 'utf8').split('\n');
    writeFileSync(path, `${rows[0]}\n`);
    const opened = travelRecording(path, undefined);
    expect(opened).toMatchObject({ ok: false });
    expect(!opened.ok && opened.failure.message).toContain('Record again, or name the journal');
    const read = readRecording(RECORDING);
    expect(read.ok && [...read.value.instances.keys()]).toEqual(['trend', 'reversion', 'breakout']);
  });
});

describe('a journal alone', () => {
  test('shows what was decided by then, forwards and backwards, and names what it does not know', async () => {
    const reader = createSqliteReader(JOURNAL);
    const opened = await travelJournal(createSqliteReader(JOURNAL), {
      path: JOURNAL,
      name: 'demo',
    });
    if (!opened.ok) throw new Error(opened.failure.message);
    const past = opened.value;
    const lives = [];
    for await (const life of reader.lives()) lives.push(life);
    const latches = await reader.latchChanges();
    await reader.close();
    const steps = lives.flatMap(({ entries }) => entries.map((one) => one.wallTime));
    const times = [...new Set(steps)];
    expect(past.about).toMatchObject({
      name: 'demo',
      source: 'journal',
      path: JOURNAL,
      changes: steps.length + latches.length,
      explains: true,
      isComplete: true,
    });
    const random = createRandom('journal');
    const asked = [
      past.about.from,
      past.about.until,
      ...Array.from({ length: 40 }, () => times[Math.floor(random.next() * times.length)]!),
    ];
    for (const time of asked) {
      const { blocks, past: about } = past.at(time);
      const decided = lives.filter(({ entries }) => entries[0]!.wallTime <= time);
      for (const name of new Set(decided.map(({ intent }) => intent.instance))) {
        const own = decided.filter(({ intent }) => intent.instance === name);
        const accepted = own.filter(({ entries }) =>
          entries.some((one) => one.state === 'accepted' && one.wallTime <= time),
        );
        const row = blocks.strategies.find((one) => one.name === name);
        expect(row).toMatchObject({ emitted: own.length, accepted: accepted.length });
      }
      expect(about?.unknown).toEqual([
        'connection',
        'feeds',
        'wallets',
        'positions',
        'orders',
        'executions',
        'budget',
      ]);
      // A journal holds no figure of an account: it is unknown, which is not zero.
      for (const row of blocks.strategies)
        expect([
          row.net_pnl,
          row.realized_pnl,
          row.unrealized_pnl,
          row.fees,
          row.funding,
          row.fills,
        ]).toEqual(Array(6).fill(Number.NaN));
      expect(blocks.bot.kill_level).toBe('L0');
    }
    const [first] = lives;
    expect(await past.life(first!.intent.key)).toMatchObject({
      intent: { key: first!.intent.key },
    });
    expect(await past.life('nothing')).toContain('No intent');
    await past.close();
  });
});

test('a long journal shows the same at an instant, whichever way it is reached', async () => {
  const path = join(folder, 'long.sqlite');
  const store = createSqliteStore(path, 'process');
  const states = ['emitted', 'guarded', 'sending'] as const;
  for (let n = 0; n < 3_000; n++) {
    const ends = n % 7 === 0 ? ('unknown' as const) : ('accepted' as const);
    // Every five hundred decisions it trades one more market.
    const request = { symbol: `S${Math.floor(n / 500)}` };
    await journalOn(store, n * 1_000).open(
      { ...rowOf(`key ${n}`), intent: JSON.stringify({ intent: { kind: 'launch', request } }) },
      [...states, ends].map((state) => ({ state }) as const),
    );
  }
  await store.close();
  const openLong = async (): Promise<Travel> => {
    const opened = await travelJournal(createSqliteReader(path), { path, name: 'long' });
    if (!opened.ok) throw new Error(opened.failure.message);
    return opened.value;
  };
  const one = await openLong();
  const times = [2_999, 2_998, 1_999, 500, 501, 499, 2_500, 0, 1_000].map((n) => n * 1_000);
  for (const time of times) {
    const fresh = await openLong();
    const view = one.at(time);
    expect(view, String(time)).toEqual(fresh.at(time));
    expect(view.blocks.strategies[0]?.emitted).toBe(time / 1_000 + 1);
    expect(view.blocks.strategies[0]?.symbols).toEqual(
      Array.from({ length: Math.floor(time / 500_000) + 1 }, (_none, at) => `S${at}`),
    );
    await fresh.close();
  }
  await one.close();
});

test('a clock that was set back leaves no answered intent open, and no level that was left', async () => {
  const path = join(folder, 'back.sqlite');
  const store = createSqliteStore(path, 'process');
  const HOUR = 3_600_000;
  await openIntent(journalOn(store, 2 * HOUR), 'key', ['emitted', 'guarded', 'sending', 'unknown']);
  await journalOn(store, HOUR).record('key', [{ state: 'accepted' }]);
  await store.setLatch('kill', { value: 'L2', reason: 'why', time: 2 * HOUR });
  await store.setLatch('kill', { value: 'L0', reason: 'over', time: HOUR });
  await store.close();
  const opened = await travelJournal(createSqliteReader(path), { path, name: 'back' });
  if (!opened.ok) throw new Error(opened.failure.message);
  const { about, at } = opened.value;
  expect([about.from, about.until]).toEqual([2 * HOUR, 2 * HOUR]);
  const { blocks, events } = at(about.until);
  expect(blocks.unanswered).toEqual([]);
  expect(blocks.strategies[0]).toMatchObject({ emitted: 1, accepted: 1 });
  expect(blocks.bot.kill_level).toBe('L0');
  expect(events.map(({ text }) => text)).toEqual([
    'launch unknown',
    'launch accepted',
    'kill',
    'kill',
  ]);
  await opened.value.close();
});

test('a strategy that was given another wallet is on it from its next decision on', async () => {
  const path = join(folder, 'moved.sqlite');
  const store = createSqliteStore(path, 'process');
  for (const [at, wallet] of ['main', 'second', 'second', 'main'].entries()) {
    const steps = [{ state: 'emitted' }, { state: 'guarded' }, { state: 'sending' }] as const;
    await journalOn(store, at * 1_000).open({ ...rowOf(`key ${at}`), wallet }, steps);
  }
  // What was decided before on the other one ends later.
  await journalOn(store, 4_000).record('key 1', [{ state: 'rejected' }]);
  await store.close();
  const opened = await travelJournal(createSqliteReader(path), { path, name: 'moved' });
  if (!opened.ok) throw new Error(opened.failure.message);
  const walletAt = (time: number) =>
    opened.value.at(time).blocks.strategies.map(({ wallet }) => wallet);
  // Forwards, and backwards again.
  const times = [0, 999, 1_000, 2_500, 3_000, 4_000, 2_999, 0];
  expect(times.map(walletAt).flat()).toEqual([
    'main',
    'main',
    'second',
    'second',
    'main',
    'main',
    'second',
    'main',
  ]);
  await opened.value.close();
});

test('a journal shows pauses, throttles, stages, quarantines and levels as they stood, and since when', async () => {
  const path = join(folder, 'latches.sqlite');
  const store = createSqliteStore(path, 'process');
  await openIntent(journalOn(store, 1_000), 'key', ['emitted', 'guarded', 'sending', 'unknown'], {
    reason: 'no answer came',
    fault: { code: 'TIMEOUT', message: 'late' },
  });
  const changes = [
    ['pause ema', 'on', 'looking into it'],
    ['throttle ema', 'daily', 'lost too much'],
    ['strategy ema', 'quarantined', 'it threw'],
    ['stage ema', 'canary ./next.ts', 'promoted'],
    ['kill', 'L2', 'by hand'],
    ['strategy ema', 'running', 'started again'],
    ['throttle ema', 'off', 'rearmed'],
    ['pause ema', 'off', 'goes on'],
    ['stage ema', 'live', 'promoted'],
    ['kill', 'L0', 'over'],
  ] as const;
  for (const [at, [name, value, reason]] of changes.entries())
    await store.setLatch(name, { value, reason, time: 2_000 + at * 1_000 });
  await store.close();
  const opened = await travelJournal(createSqliteReader(path), { path, name: 'latches' });
  if (!opened.ok) throw new Error(opened.failure.message);
  const { at } = opened.value;
  /** Life, fault, pause, throttle, stage, level and its reason after so many changes. */
  const standing = (count: number) => {
    const { bot, strategies } = at(1_000 + count * 1_000).blocks;
    const [{ life, fault, paused, throttled, stage }] = strategies as [(typeof strategies)[0]];
    return [life, fault, paused, throttled, stage, bot.kill_level, bot.kill_reason];
  };
  const [pause, loss] = ['looking into it', 'lost too much'];
  const expected = [
    ['running', null, null, null, null, 'L0', null],
    ['running', null, pause, null, null, 'L0', null],
    ['running', null, pause, loss, null, 'L0', null],
    ['quarantined', 'it threw', pause, loss, null, 'L0', null],
    ['quarantined', 'it threw', pause, loss, 'canary', 'L0', null],
    ['quarantined', 'it threw', pause, loss, 'canary', 'L2', 'by hand'],
    ['running', null, pause, loss, 'canary', 'L2', 'by hand'],
    ['running', null, pause, null, 'canary', 'L2', 'by hand'],
    ['running', null, null, null, 'canary', 'L2', 'by hand'],
    ['running', null, null, null, 'live', 'L2', 'by hand'],
    ['running', null, null, null, 'live', 'L0', null],
  ];
  for (const [count, one] of expected.entries()) expect(standing(count), `${count}`).toEqual(one);
  for (const count of [6, 2, 9, 0]) expect(standing(count), `${count}`).toEqual(expected[count]);
  const { events, blocks } = at(99_000);
  expect(blocks.bot.wall_started).toBe(1_000);
  expect(events[0]).toMatchObject({
    time: 1_000,
    wall_time: 1_000,
    level: 'warn',
    text: 'launch unknown',
    fields: { strategy: 'ema', wallet: 'main', reason: 'no answer came' },
  });
  expect(events.slice(1).map(({ time, text, fields }) => [time, text, fields['value']])).toEqual(
    changes.map(([name, value], place) => [2_000 + place * 1_000, name, value]),
  );
  expect(blocks.unanswered).toMatchObject([{ key: 'key', reason: 'no answer came' }]);
  await opened.value.close();
});
