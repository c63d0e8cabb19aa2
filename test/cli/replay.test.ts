import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  hashEmissions,
  writeRecording,
  type RecordingHeader,
} from '../../src/operate/recording/index.ts';
import { runMain } from './runMain.ts';
import { root } from '../sourceFiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-replay-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DEMO = join(root, 'configs/demo.yaml');

function record(name: string, seed: number, more: readonly string[] = []) {
  const set = [
    ...more,
    `record=${join(folder, name)}`,
    `paper.feeds[0].generate.seed=${seed}`,
    ...[0, 1].map((at) => `paper.feeds[${at}].generate.bars=2500`),
  ].flatMap((one) => ['--set', one]);
  return runMain('run', DEMO, ...set, '--no-report', '--journal', 'memory');
}

const SYMBOLS = ['BTC', 'ETH', 'SOL'];
const LOOKS = ['test/cli/plants/looksAround.ts', '{ at: nothing }'] as const;
const FAULTY = ['test/cli/plants/faulty.ts', '{ how: kernel }'] as const;

/** A bot whose strategies have a symbol each: plugin and parameters by name. */
function writeBot(name: string, strategies: Record<string, readonly [string, string]>): string {
  const path = join(folder, name);
  const feeds = SYMBOLS.map(
    (symbol) => `{ symbol: ${symbol}, interval: 1m, generate: { seed: 1, bars: 800 } }`,
  );
  const listed = Object.entries(strategies).map(
    ([strategy, [use, params]], at) =>
      `{ name: ${strategy}, use: ${join(root, use)}, symbols: [${SYMBOLS[at]}], params: ${params} }`,
  );
  writeFileSync(
    path,
    `name: bot
link: { kind: paper }
paper: { feeds: [${feeds.join(', ')}] }
strategies: [${listed.join(', ')}]
`,
  );
  return path;
}
/** The recording of a backtest. */
async function recordBacktest(bot: string, name: string): Promise<string> {
  const file = join(folder, name);
  const { code, err } = await runMain('backtest', bot, '--no-report', '--set', `record=${file}`);
  expect([code, err]).toEqual([0, expect.any(String)]);
  return file;
}

/** A small recording in which each strategy started. */
function put(name: string, strategies: readonly string[], use = './x.ts'): string {
  const path = join(folder, name);
  const about = { use, params: {}, symbols: [], wallet: 'main', capital_share: 1 };
  const header: RecordingHeader = {
    format: 'trimtab-recording',
    version: 1,
    bot: 'b',
    seed: 1,
    instances: strategies.map((strategy) => ({ name: strategy, ...about })),
    instruments: [],
  };
  const writer = writeRecording(path, header, () => expect.fail());
  for (const strategy of strategies) writer.write(strategy, ['start', 0, null]);
  writer.close();
  return path;
}

beforeAll(async () => {
  expect((await record('one.jsonl', 11)).code).toBe(0);
  expect((await record('two.jsonl', 12)).code).toBe(0);
}, 120_000);

describe('trimtab replay', () => {
  test('exits with 0 if the intents are equal', async () => {
    const { code, out } = await runMain('replay', join(folder, 'one.jsonl'));
    expect(code).toBe(0);
    expect(out).toMatch(/^reversion: same, \d+ intents recorded, \d+ replayed$/m);
    const [, recorded, replayed] = /recorded (\w{64})\n {2}replayed (\w{64})/.exec(out)!;
    expect(replayed).toBe(recorded);
  });

  test('exits with 1 if one differs, and shows it', async () => {
    const changed = ['--config', DEMO, '--param', 'reversion.period=19'];
    const { code, out, err } = await runMain('replay', join(folder, 'one.jsonl'), ...changed);
    expect(code).toBe(1);
    expect(out).toMatch(/^reversion: DIFFERENT/m);
    expect(out).toMatch(/^ {2}intent \d+ at 2025-.*: main\/reversion\//m);
    expect(err).toContain('Not the same intents: reversion');
  });

  test('shows of every strategy that differs what both had, and the fault that made the difference', async () => {
    const bot = writeBot('three.yaml', { first: LOOKS, second: LOOKS, third: LOOKS });
    const file = await recordBacktest(bot, 'looks-three.jsonl');
    const same = await runMain('replay', file, '--config', bot);
    expect(same.code).toBe(0);
    const [, count, hash] = /^first: same, (\d+) intents recorded.*\n {2}recorded (\w{64})/m.exec(
      same.out,
    )!;
    const other = writeBot('other.yaml', { first: FAULTY, second: LOOKS, third: FAULTY });
    const { code, out, err } = await runMain('replay', file, '--config', other);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('Not the same intents: first, third.'),
    ]);
    const none = hashEmissions([]);
    for (const name of ['first', 'third'])
      expect(out).toMatch(
        new RegExp(
          `^${name}: DIFFERENT, ${count} intents recorded, 0 replayed\n {2}recorded ${name === 'first' ? hash : '\\w{64}'}\n {2}replayed ${none}\n {2}fault: .*no bar for me[^]*? {2}intent 1 at .*\n {4}only in the first$`,
          'm',
        ),
      );
    expect(out).toMatch(/^second: same, /m);
  });

  test('reports requested data that the recording lacks', async () => {
    const changed = ['--config', DEMO, '--param', 'breakout.interval=15m'];
    const { code, out } = await runMain('replay', join(folder, 'one.jsonl'), ...changed);
    expect(code).toBe(1);
    expect(out).toMatch(/^ {2}not recorded: candles of BTC 15m: it receives nothing$/m);
  });

  test('exits with 1 if the intents are equal but unrecorded data was requested', async () => {
    const bot = join(folder, 'looks.yaml');
    const plugin = join(root, 'test/cli/plants/looksAround.ts');
    writeFileSync(
      bot,
      `name: looks
link: { kind: paper }
paper: { feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 800 } }] }
strategies: [{ name: buys, use: ${plugin}, symbols: [BTC], params: { at: nothing } }]
`,
    );
    const file = join(folder, 'looks.jsonl');
    const recorded = await runMain('backtest', bot, '--no-report', '--set', `record=${file}`);
    expect(recorded.code).toBe(0);
    const look = (at: string) =>
      runMain('replay', file, '--config', bot, '--param', `buys.at=${at}`);
    expect(await look('nothing')).toMatchObject({ code: 0, err: '' });
    for (const [at, what] of [
      ['price', 'price of ETH'],
      ['forming', 'candles of BTC 1m while they form'],
      ['again', 'position of BTC, asked for again'],
    ] as const) {
      const { code, out, err } = await look(at);
      expect(out).toMatch(/^buys: same, [1-9]/m);
      expect(out).toContain(`  not recorded: ${what}: it receives nothing\n`);
      expect(out.match(/not recorded/g)).toHaveLength(1);
      expect(err).toContain('prove nothing: data that was asked for was not recorded: buys.');
      expect(code).toBe(1);
    }
  });

  test('reports a truncated recording, and refuses an empty one', async () => {
    const rows = readFileSync(join(folder, 'one.jsonl'), 'utf8').split('\n');
    const put = (name: string, count: number): string => {
      writeFileSync(join(folder, name), rows.slice(0, count).join('\n'));
      return join(folder, name);
    };
    const half = await runMain('replay', put('half.jsonl', 1_500));
    expect(half).toMatchObject({ code: 0, err: expect.stringContaining('half.jsonl is cut off') });
    const none = await runMain('replay', put('none.jsonl', 20));
    expect(none).toMatchObject({ code: 1, out: '' });
    expect(none.err).toContain('none.jsonl holds nothing to replay: it is cut off');
  });

  test.each([
    ['nothing at all', '', /x\.jsonl is empty: its bot has written nothing into it yet/],
    ['its first line cut off', '{"format":"trimtab-recording","ver', /:1: it is cut off within/],
    ['no version', '{"format":"trimtab-recording"}\n', /:1: this is not a recording/],
    [
      'no strategies',
      '{"format":"trimtab-recording","version":1}\n',
      /:1: this is not a recording/,
    ],
    ['another version', '{"format":"trimtab-recording","version":2}\n', /2 of .*\n {2}Use the Tri/],
    ['what gzip made', gzipSync('a recording'), /:1: it is compressed\.\n {2}Unpack it first/],
  ])('refuses a file with %s, with a remedy', async (_what, content, words) => {
    const path = join(folder, 'x.jsonl');
    writeFileSync(path, content);
    const { code, err } = await runMain('replay', path);
    expect(code).toBe(1);
    expect(err).toMatch(words);
  });

  test('refuses two recordings in one file', async () => {
    const path = join(folder, 'joined.jsonl');
    const [one, two] = ['one.jsonl', 'two.jsonl'].map((name) => readFileSync(join(folder, name)));
    writeFileSync(path, Buffer.concat([one!, two!]));
    const { code, err } = await runMain('replay', path);
    expect(code).toBe(1);
    expect(err).toMatch(/joined\.jsonl:\d+: the recording has ended before this line/);
  });

  test('names a plugin that no longer exists', async () => {
    const { code, err } = await runMain('replay', put('gone.jsonl', ['a'], './gone.ts'));
    expect(code).toBe(1);
    expect(err).toMatch(/a: .*gone\.ts: There is no such file\.\n.*name a configuration: --config/);
  });

  test.each([
    [
      ['nowhere.jsonl'],
      'nowhere.jsonl can’t be read',
      /nowhere\.jsonl can't be read: there is no such file\.\n {2}A bot writes one/,
      1,
    ],
    [[DEMO], 'a file that is no recording', /:1: this is not a recording/, 1],
    [[DEMO, '--param', 'a=1'], 'a parameter alone', /Name one: --config FILE/, 2],
  ])('refuses %j: %s', async (argv, _what, words, exitCode) => {
    const { code, err } = await runMain('replay', ...argv);
    expect(code).toBe(exitCode);
    expect(err).toMatch(words);
  });
});

describe('trimtab diff', () => {
  test('of a recording with itself exits with 0', async () => {
    const { code, out } = await runMain(
      'diff',
      join(folder, 'one.jsonl'),
      join(folder, 'one.jsonl'),
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^breakout: the same \d+ intents$/m);
  });

  test('names the first intent that differs, and the input that differed before', async () => {
    const { code, out } = await runMain(
      'diff',
      join(folder, 'one.jsonl'),
      join(folder, 'two.jsonl'),
    );
    expect(code).toBe(1);
    expect(out).toMatch(/^breakout: different\n {2}intent 1 at/m);
    expect(out).toMatch(/its input had differed: candles BTC 5m \d+#0 at 2025-/);
    expect(out).toMatch(/event\.bar\.close: [\d.]+ → [\d.]+/);
  });

  test('names the setting that differed first, before any input', async () => {
    const set = ['strategies[2].params.channel=7', 'seed=5'];
    expect((await record('three.jsonl', 11, set)).code).toBe(0);
    const { out } = await runMain('diff', join(folder, 'one.jsonl'), join(folder, 'three.jsonl'));
    expect(out).toMatch(
      /^breakout: different\n {2}it was run with other settings:\n {4}params\.channel: \d+ → 7\n {4}seed: \S+ → 5\n {2}intent /m,
    );
    expect(out).not.toContain('decides by chance');
  });

  test('exits with 1 if one strategy alone differs, and names its setting', async () => {
    expect((await record('four.jsonl', 11, ['strategies[2].params.channel=7'])).code).toBe(0);
    const both = ['one.jsonl', 'four.jsonl'].map((name) => join(folder, name));
    const { code, out, err } = await runMain('diff', ...both);
    expect(code).toBe(1);
    expect(out).toMatch(/^trend: the same \d+ intents?$/m);
    expect(out).toMatch(/^breakout: different\n {2}it was run with other settings:$/m);
    expect(err).toContain('Different intents: breakout.');
  });

  test('names chance, or other code, where neither settings nor input differ', async () => {
    const bot = writeBot('coin.yaml', { coin: ['test/backtest/plants/tossesCoin.ts', '{}'] });
    const both = [
      await recordBacktest(bot, 'heads.jsonl'),
      await recordBacktest(bot, 'tails.jsonl'),
    ];
    const { code, out } = await runMain('diff', ...both);
    expect(code).toBe(1);
    expect(out).toMatch(/^coin: different\n {2}intent \d+ at /);
    expect(out).toMatch(
      /\n {2}both had the same input until then: the plugin's code differs, or it decides by chance\n$/,
    );
  });

  test('names no input beside other settings that came after one of them had decided', async () => {
    const both: string[] = [];
    for (const every of [60, 100]) {
      const draws = ['test/cli/plants/drawsSize.ts', `{ every: ${every} }`] as const;
      const bot = writeBot(`every${every}.yaml`, { draws });
      both.push(await recordBacktest(bot, `every${every}.jsonl`));
    }
    const { code, out } = await runMain('diff', ...both);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^draws: different\n {2}it was run with other settings:\n {4}params\.every: 60 → 100\n {2}intent \d+ at/,
    );
    expect(out).toMatch(/\n {2}both had the same input until then\n$/);
  });

  test('reports recordings without a common strategy', async () => {
    const { code, err } = await runMain('diff', join(folder, 'one.jsonl'), put('x.jsonl', ['x']));
    expect(code).toBe(1);
    expect(err).toContain('no strategy in common: trend, reversion, breakout, and x');
  });

  test('names the strategies that only one of them has', async () => {
    const both = [put('ab.jsonl', ['a', 'b']), put('bc.jsonl', ['b', 'c'])];
    expect(await runMain('diff', ...both)).toMatchObject({
      code: 0,
      out: 'b: the same 0 intents\na: only in the first\nc: only in the second\n',
    });
  });

  test('does not call an empty recording equal, and reports a truncated one', async () => {
    const [whole, half, none] = ['one.jsonl', 'half.jsonl', 'none.jsonl'].map((name) =>
      join(folder, name),
    );
    const rows = readFileSync(whole!, 'utf8').split('\n');
    writeFileSync(half!, rows.slice(0, 1_500).join('\n'));
    writeFileSync(none!, rows.slice(0, 20).join('\n'));
    const cut = await runMain('diff', whole!, half!);
    expect(cut).toMatchObject({ code: 1, err: expect.stringContaining('half.jsonl is cut off') });
    const nothing = await runMain('diff', none!, none!);
    expect(nothing).toMatchObject({ code: 1, out: '' });
    expect(nothing.err).toContain('none.jsonl holds nothing to replay: it is cut off');
  });
});
