import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { createLiveEnv, silentLog } from '../../src/env/index.ts';
import {
  diffEmissions,
  diffInputs,
  hashEmissions,
  readRecording,
  replayRecording,
  writeRecording,
  type Recording,
} from '../../src/operate/recording/index.ts';
import { runPaper } from '../../src/operate/run/index.ts';
import { EXTRACTS } from '../data/places.ts';
import { root } from '../sourceFiles.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(2);

const folder = mkdtempSync(join(tmpdir(), 'trimtab-recording-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DEMO = join(root, 'configs/demo.yaml');
const SHORT = [0, 1].map((at) => `paper.feeds[${at}].generate.bars=2000`);

/** Runs the demo over real sockets, recorded unless there is no name. */
async function runDemo(
  name: string | null,
  set: readonly string[] = SHORT,
  env = createLiveEnv(),
): Promise<string> {
  const record = name === null ? [] : [`record=${join(folder, name)}`];
  const loaded = await loadConfig(DEMO, {
    overrides: { journal: 'memory', set: [...set, ...record] },
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const progress = { update: () => {}, finish: () => {} };
  const run = await runPaper({ loaded, env, progress, isStopped: () => false });
  if (!run.ok) throw new Error(run.failure.message);
  return run.value.data.hash;
}

function read(name: string): Recording {
  const recording = readRecording(join(folder, name));
  if (!recording.ok) throw new Error(recording.failure.message);
  return recording.value;
}

async function replay(recording: Recording, params?: readonly string[]) {
  const path = join(folder, 'any');
  if (params === undefined) return replayRecording(recording, { path });
  const loaded = await loadConfig(DEMO, { overrides: { onPaper: true, params } });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return replayRecording(recording, { path, loaded });
}

let plain: string;
let recorded: string;
beforeAll(async () => {
  plain = await runDemo(null);
  recorded = await runDemo('demo.jsonl');
}, 120_000);

const text = (): string => readFileSync(join(folder, 'demo.jsonl'), 'utf8');

describe('a recorded session', () => {
  test('equals the session without recording', () => {
    expect(recorded).toBe(plain);
  });

  test('replays to every shipped strategy’s intents, to the byte', async () => {
    const recording = read('demo.jsonl');
    expect(recording.isComplete).toBe(true);
    const replayed = await replay(recording);
    if (!replayed.ok) throw new Error(replayed.failure.message);
    expect(replayed.value.map(({ name }) => name)).toEqual(['trend', 'reversion', 'breakout']);
    for (const one of replayed.value) {
      expect(JSON.stringify(one.replayed)).toBe(JSON.stringify(one.recorded));
      expect(hashEmissions(one.replayed)).toBe(hashEmissions(one.recorded));
      expect(one.recorded.length, one.name).toBeGreaterThan(5);
      expect(one.faults).toEqual([]);
    }
  });

  it('replays what a strategy decided on its own orders, fills and refs', async () => {
    const grid = join(root, 'test/backtest/plants/grid.ts');
    const set = [`strategies[0].use=${grid}`, 'strategies[0].params={}'];
    await runDemo('grid.jsonl', [...SHORT, ...set]);
    const replayed = await replay(read('grid.jsonl'));
    if (!replayed.ok) throw new Error(replayed.failure.message);
    const [one] = replayed.value;
    expect(one!.missing).toEqual([]);
    expect(JSON.stringify(one!.replayed)).toBe(JSON.stringify(one!.recorded));
    const sales = one!.recorded.filter(({ intent }) => intent.ref?.startsWith('sale-of-rung-'));
    expect(sales.length).toBeGreaterThan(10);
  });

  test.each(['1m', '5m'])('replays the merged history of two symbols at %s', async (interval) => {
    const joins = join(root, 'test/backtest/plants/joinsBars.ts');
    const about = [`use=${joins}`, `params={interval: ${interval}}`, 'symbols=[BTC, ETH]'];
    const set = about.map((one) => `strategies[2].${one}`);
    await runDemo('joins.jsonl', [...SHORT, ...set]);
    const replayed = await replay(read('joins.jsonl'));
    if (!replayed.ok) throw new Error(replayed.failure.message);
    const one = replayed.value[2]!;
    expect(one.missing).toEqual([]);
    expect(JSON.stringify(one.replayed)).toBe(JSON.stringify(one.recorded));
    expect(one.recorded.length).toBeGreaterThan(5);
    for (const { intent } of one.recorded) {
      expect(intent.note).toMatch(/^\d+ pairs, \d+ bars, 90 past, 0 in disorder /);
    }
  });

  test('is read once for all instances, and once more to compare their input', async () => {
    const recording = read('demo.jsonl');
    let readings = 0;
    const instances = new Map(
      [...recording.instances].map(([name, one]) => [
        name,
        { ...one, emissions: one.emissions.slice(0, 3) },
      ]),
    );
    const counted = { ...recording, instances, rows: () => (readings++, recording.rows()) };
    const replayed = await replay(counted);
    expect(readings).toBe(1);
    // What a version decides beyond the intents that were recorded is part of what it decides.
    expect(
      replayed.ok && replayed.value.map((one) => [one.recorded.length, one.replayed.length]),
    ).toEqual([...recording.instances.values()].map(({ emissions }) => [3, emissions.length]));
    const names = [...recording.instances.keys()];
    const inputs = diffInputs(counted, recording, new Map(names.map((name) => [name, Infinity])));
    expect([...inputs.values()]).toEqual(names.map(() => undefined));
    expect(readings).toBe(2);
  });

  it('with another parameter shows the first intent that differs', async () => {
    const replayed = await replay(read('demo.jsonl'), ['reversion.period=19']);
    if (!replayed.ok) throw new Error(replayed.failure.message);
    const [trend, reversion] = replayed.value;
    expect(diffEmissions(trend!.recorded, trend!.replayed)).toBeUndefined();
    const difference = diffEmissions(reversion!.recorded, reversion!.replayed);
    expect(difference?.fields.length).toBeGreaterThan(0);
  });

  it('with another warm-up gets the recorded history, and decides on it', async () => {
    const recording = read('demo.jsonl');
    for (const period of [5, 40]) {
      const replayed = await replay(recording, [`reversion.period=${period}`]);
      if (!replayed.ok) throw new Error(replayed.failure.message);
      const reversion = replayed.value[1]!;
      expect(reversion.replayed.length, `period ${period}`).toBeGreaterThan(5);
      const more = /^more than \d+ bars of BTC \w+ before its start/;
      expect(reversion.missing).toEqual(period === 5 ? [] : [expect.stringMatching(more)]);
    }
  });

  test('reports the candles that it lacks', async () => {
    const replayed = await replay(read('demo.jsonl'), ['breakout.interval=15m']);
    if (!replayed.ok) throw new Error(replayed.failure.message);
    const [trend, , breakout] = replayed.value;
    expect(trend!.missing).toEqual([]);
    expect(breakout).toMatchObject({
      replayed: [],
      missing: ['candles of BTC 15m: it receives nothing'],
    });
  });

  test('holds no secret, and is readable by its owner only', () => {
    expect(text()).not.toMatch(/vs_[A-Za-z0-9]/);
    expect(statSync(join(folder, 'demo.jsonl')).mode & 0o777).toBe(0o600);
  });
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk ends the recording with one report, not the strategies',
  async () => {
    const reported: string[] = [];
    const log = { ...silentLog, error: (message: string) => void reported.push(message) };
    log.with = () => log;
    const env = createLiveEnv({ log });
    expect(await runDemo(null, [...SHORT, 'record=/dev/full'], env)).toBe(plain);
    const words = /The recording \/dev\/full ends here, and the bot continues: ENOSPC/;
    expect(reported).toEqual([expect.stringMatching(words)]);
  },
  60_000,
);

const instanceOf = (name: string) => ({
  name,
  use: 'a',
  params: {},
  symbols: [],
  wallet: 'main',
  capital_share: 1,
});

it('a webhook’s token does not reach a recording', async () => {
  const path = join(folder, 'token.jsonl');
  const header = {
    format: 'trimtab-recording',
    version: 1,
    bot: 'b',
    seed: 1,
    instances: [instanceOf('a')],
    instruments: [],
  } as const;
  const writer = writeRecording(path, header, () => expect.fail());
  writer.write('a', [
    'event',
    'outcomes#0',
    1,
    { record: { token: 'whk_1', webhook_token: 'x9' } },
  ]);
  writer.close();
  expect(readFileSync(path, 'utf8')).not.toMatch(/whk_1|x9/);
  expect([...read('token.jsonl').rows()]).toHaveLength(1);
});

describe('a recording that', () => {
  const put = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return name;
  };

  test('was truncated is read to its last checksum', async () => {
    const cut = read(put('cut.jsonl', text().slice(0, Math.floor(text().length / 2))));
    expect(cut.isComplete).toBe(false);
    const replayed = await replay(cut);
    if (!replayed.ok) throw new Error(replayed.failure.message);
    const intents = replayed.value.flatMap((one) => one.recorded);
    expect(intents.length).toBeGreaterThan(3);
    for (const one of replayed.value) expect(one.replayed).toEqual(one.recorded);
  });

  test('is truncated after it was read is detected', () => {
    const lines = text().split('\n');
    const whole = read(put('shorter.jsonl', text()));
    put('shorter.jsonl', `${lines.slice(0, 100).join('\n')}\n`);
    expect(() => [...whole.rows()]).toThrow(/shorter\.jsonl:100: it was changed since it was read/);
  });

  test.each([
    [
      'was changed',
      (content: string) => content.replace('"close":', '"close":1'),
      /:\d+: what stands/,
    ],
    ['is none', () => 'hello\n', /:1: this is not a recording/],
    [
      'is of another version',
      (content: string) => content.replace('"version":1', '"version":9'),
      /version 9/,
    ],
  ])('%s is refused', async (_what, change, words) => {
    const result = readRecording(join(folder, put('bad.jsonl', change(text()))));
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).toMatch(words);
  });
});

it('two recordings diverge where their tapes do, and the first differing input is named', async () => {
  await runDemo('other.jsonl', [...SHORT, 'paper.feeds[0].generate.seed=12']);
  const [a, b] = [read('demo.jsonl'), read('other.jsonl')];
  const [one, other] = [a.instances.get('reversion')!, b.instances.get('reversion')!];
  const difference = diffEmissions(one.emissions, other.emissions);
  expect(difference).toBeDefined();
  const wanted = new Map([
    ['reversion', difference!.index],
    ['trend', Infinity],
  ]);
  const inputs = diffInputs(a, b, wanted);
  const input = inputs.get('reversion');
  expect(input?.source).toMatch(/^candles BTC/);
  expect(input?.fields.map(({ path }) => path)).toContainEqual(
    expect.stringMatching(/^event\.bar\./),
  );
  // Its own tape is the same; what differs is the equity that it sizes by, which they share.
  expect(inputs.get('trend')?.source).toMatch(/account#/);
}, 60_000);

const REAL = join(EXTRACTS, 'normalised/BINANCE-BTCUSDT-1m-202408.csv.gz');

it(
  'on a real tape each shipped strategy replays to the same intents',
  { timeout: 60_000 },
  async () => {
    const rows = gunzipSync(readFileSync(REAL)).toString('utf8').split('\n', 4_000);
    const tape = join(folder, 'real.csv');
    writeFileSync(tape, `${rows.join('\n')}\n`);
    const feeds = ['BTC', 'ETH'].map(
      (symbol, at) => `paper.feeds[${at}]={symbol: ${symbol}, interval: 1m, path: ${tape}}`,
    );
    await runDemo('real.jsonl', feeds);
    const replayed = await replay(read('real.jsonl'));
    if (!replayed.ok) throw new Error(replayed.failure.message);
    for (const one of replayed.value) {
      expect(JSON.stringify(one.replayed)).toBe(JSON.stringify(one.recorded));
      expect(one.recorded.length, one.name).toBeGreaterThan(3);
    }
  },
);
