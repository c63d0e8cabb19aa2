/** What a command asks of a running bot by its files, and what its exit code says of each answer. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { z } from 'zod';
import { createSqliteStore } from '../../src/journal/index.ts';
import {
  controlFilesOf,
  readWhole,
  rotationRequest,
  settlement,
  strategyCommand,
  writeWhole,
  type ControlFiles,
  type Pulse,
  type Settled,
} from '../../src/operate/control/controlFiles.ts';
import { journalOn, openIntent } from '../journal/journalRows.ts';
import { pulseOf } from './pulseOf.ts';
import { runMain } from './runMain.ts';

const KEY = '5e2f0000-0000-4000-8000-000000000000';
let folder: string;
let config: string;
let files: ControlFiles;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-answered-'));
  files = controlFilesOf(join(folder, 'bot.sqlite'));
  config = write('bot');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    `name: remote
link: { kind: paper_service, base_url: "http://127.0.0.1:1", key_id: vk_a, secret: { env: TRIMTAB_TEST_NONE } }
strategies: [{ name: trend, use: ./own.ts, symbols: [BTC, ETH, SOL], shadow: { use: ./new.ts } }]
journal: ./${name}.sqlite
`,
  );
  return file;
}

const beat = (more?: Partial<Pulse>): void => writeWhole(files.pulse, pulseOf(more));

/** Runs a command against a bot that gives this answer to the request in this place. */
async function ask<T extends { time: number }>(
  answer: Partial<Settled>,
  [request, response, schema]: [string, string, z.ZodType<T>],
  argv: readonly string[],
) {
  beat();
  const ended = runMain(...argv);
  let asked: T | undefined;
  const poll = setInterval(() => {
    beat();
    const found = readWhole(request, schema);
    if (found === undefined || found.time === asked?.time) return;
    asked = found;
    writeWhole(response, { time: found.time, ...answer });
  }, 20);
  const { code, out, err } = await ended.finally(() => clearInterval(poll));
  return { code, out, err, asked };
}

/** Runs a command against a bot that takes no request, with the time of its patience passing at once. */
async function askInVain(pulse: Partial<Pulse>, ...argv: readonly string[]) {
  beat(pulse);
  const beating = setInterval(() => beat(pulse), 20);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let isOver = false;
  const ended = runMain(...argv).finally(() => (isOver = true));
  while (!isOver) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise(setImmediate);
  }
  clearInterval(beating);
  return ended;
}

const REFUSED = { refused: 'it lacks the scope trade' };
const FAILED = { failed: 'the disk is full' };

describe('trimtab rotate', () => {
  const rotate = (answer: Partial<Settled>, ...reason: string[]) =>
    ask(
      answer,
      [files.rotation, files.rotationDone, rotationRequest],
      ['rotate', config, ...(reason.length === 0 ? ['--reason', 'quarterly'] : reason)],
    );

  test('of a bot that has rotated', async () => {
    const { code, out, asked } = await rotate({ done: 'signs with vk_a from now on' });
    expect([code, out]).toEqual([0, 'remote signs with vk_a from now on.\n']);
    expect(asked).toMatchObject({ reason: 'quarterly', named: { key_id: 'vk_a' } });
  });

  test.each(['', '  ', '\t'])('without a reason but %j it was by hand', async (reason) => {
    const { asked } = await rotate({ done: 'signs' }, '--reason', reason);
    expect(asked!.reason).toBe('by hand');
  });

  // Exit code 0 is taken as leave to revoke the key in use.
  test.each([
    [REFUSED, 'remote stays on its key: it lacks the scope trade.\n  Do not revoke the key in use'],
    [FAILED, 'remote could not finish the rotation: the disk is full.'],
  ])('of one that answers %j', async (answer, text) => {
    const { code, out, err } = await rotate(answer);
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(text)]);
    expect(err).toContain('TRIMTAB_ROTATE_REFUSED');
  });

  test('of one that does not run', async () => {
    beat({ ended: 'in_order' });
    const { code, err } = await runMain('rotate', config);
    expect([code, err]).toEqual([1, expect.stringContaining('TRIMTAB_BOT_NOT_RUNNING')]);
  });
});

describe('trimtab promote', () => {
  const promote = (answer: Partial<Settled>, ...flags: string[]) =>
    ask(
      answer,
      [files.strategy, files.strategyDone, strategyCommand],
      ['promote', config, 'trend', '--reason', 'a good week', ...flags],
    );

  test.each([
    [[], 'next', []],
    [['--to', 'live'], 'live', []],
    [['--back'], 'back', []],
    [['--hand-over', 'BTC, ETH', '--hand-over', 'SOL'], 'next', ['BTC', 'ETH', 'SOL']],
  ])('with %j asks for what it says', async (flags, move, handOver) => {
    const { code, out, asked } = await promote({ done: 'canary' }, ...flags);
    expect([code, out]).toEqual([0, 'trend of remote is at the stage canary.\n']);
    expect(asked).toMatchObject({ instance: 'trend', do: 'promote', move, hand_over: handOver });
  });

  test.each([
    [REFUSED, 'it lacks the scope trade'],
    [FAILED, 'the disk is full'],
  ])('that is answered by %j', async (answer, text) => {
    const { code, out, err } = await promote(answer);
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(text)]);
    expect(err).toContain('TRIMTAB_PROMOTE_REFUSED');
  });

  test('of a stopped bot that may not be done is no success either', async () => {
    await createSqliteStore(join(folder, 'bot.sqlite')).close();
    const { code, out, err } = await runMain('promote', config, 'trend', '--reason', 'a good week');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('TRIMTAB_PROMOTE_REFUSED');
  });
});

test('a stopped bot’s step is taken with all of its symbols', async () => {
  await createSqliteStore(join(folder, 'bot.sqlite')).close();
  const promote = (...symbols: string[]) =>
    runMain('promote', config, 'trend', '--reason', 'a week', '--hand-over', symbols.join(','));
  expect(await promote('BTC', 'ETH')).toMatchObject({ code: 1, out: '' });
  expect(await promote('BTC', 'ETH', 'SOL')).toMatchObject({
    code: 0,
    out: 'remote is not running; from its next start trend is at the stage canary.\n',
  });
});

describe('trimtab settle', () => {
  /** The bot has its journal, with an intent that has no answer. */
  const settle = async (answer: Partial<Settled>, ...flags: string[]) => {
    const store = createSqliteStore(join(folder, 'bot.sqlite'), 'process');
    if (!store.holds(KEY))
      await openIntent(journalOn(store), KEY, ['emitted', 'guarded', 'sending', 'unknown']);
    try {
      return await ask(
        answer,
        [files.settlement, files.settled, settlement],
        ['settle', config, KEY.slice(0, 4), '--reason', 'looked it up', ...flags],
      );
    } finally {
      await store.close();
    }
  };
  const accepted = ['--as', 'accepted', '--record', 'exe_17', '--record', 'exe_18'];

  test('sends every record, and has the bot ask for each', async () => {
    const { code, out, asked } = await settle({}, ...accepted);
    expect([code, out]).toEqual([0, `launch ${KEY} is accepted.\n`]);
    expect(asked).toMatchObject({ key: KEY, as: 'accepted', records: ['exe_17', 'exe_18'] });
    expect(asked).not.toHaveProperty('unchecked', true);
    const unchecked = await settle({}, ...accepted, '--unchecked');
    expect(unchecked.asked).toMatchObject({ unchecked: true });
  });

  test.each([
    [REFUSED, "can't be settled: it lacks the scope trade."],
    [FAILED, 'is not settled: the disk is full.'],
  ])('that is answered by %j has settled nothing', async (answer, text) => {
    const { code, out, err } = await settle(answer, ...accepted);
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(text)]);
    expect(err).toContain('TRIMTAB_SETTLE_REFUSED');
  });

  test.each([
    [['--as', 'absent', '--record', 'exe_17'], 'An absent intent has no record such as exe_17'],
    [['--as', 'accepted', '--unchecked'], '--unchecked is about records'],
    [['--as', 'accepted', '--record', ' '], 'It takes an id'],
  ])('with %j is a wrong command line', async (flags, text) => {
    const { code, err } = await runMain('settle', config, KEY, '--reason', 'looked', ...flags);
    expect([code, err]).toEqual([2, expect.stringContaining(text)]);
  });

  test.each(['', '   '])('asks how one knows: %j is no answer', async (reason) => {
    const { code, err } = await runMain(
      'settle',
      config,
      KEY,
      '--as',
      'absent',
      '--reason',
      reason,
    );
    expect([code, err]).toEqual([2, expect.stringContaining('Say how you know')]);
  });
});

describe('a bot that takes no request has done nothing', () => {
  const commands = [
    ['rotate', '--reason', 'quarterly'],
    ['promote', 'trend', '--reason', 'a good week'],
    ['settle', KEY, '--as', 'absent', '--reason', 'looked it up'],
  ];
  const inVain = async ([name = '', ...flags]: readonly string[], pulse: Partial<Pulse>) => {
    const store = createSqliteStore(join(folder, 'bot.sqlite'), 'process');
    onTestFinished(() => store.close());
    await openIntent(journalOn(store), KEY, ['emitted', 'guarded', 'sending', 'unknown']);
    return askInVain(pulse, name, config, ...flags);
  };

  test.each(commands)('silent: trimtab %s', async (...command) => {
    const { code, out, err } = await inVain(command, {});
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('TRIMTAB_BOT_SILENT');
    expect(err).toContain(`remote (process ${process.ppid}) did not answer`);
  });

  test.each(commands)('stopping: trimtab %s', async (...command) => {
    const { code, out, err } = await inVain(command, { stopping: true });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('TRIMTAB_BOT_STOPPING');
  });

  test.each(commands)('with its journal in memory: trimtab %s', async (name = '', ...flags) => {
    writeFileSync(config, readFileSync(config, 'utf8').replace('./bot.sqlite', 'memory'));
    const { code, out, err } = await runMain(name, config, ...flags);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('TRIMTAB_JOURNAL_IN_MEMORY');
  });
});

describe('trimtab status ends with', () => {
  test.each<[number, Partial<Pulse>, RegExp]>([
    [0, {}, /^remote is well \(process \d+\)\.\n$/],
    [0, { notes: ['the position is ignored'] }, /is well .*\n {2}the position is ignored\n$/],
    [1, { level: 'L1' }, /is degraded .*\n {2}kill level L1\n$/],
    [1, { problems: ['the key is refused'] }, /is degraded .*\n {2}the key is refused\n$/],
    [2, { ended: 'in_order' }, /^remote is down\.\n {2}it was stopped cleanly\n$/],
    [2, { ended: 'failed' }, /^remote is down\.\n {2}it failed\n$/],
    [2, { time: 1 }, /^remote is down\.\n {2}its main loop has been silent/],
  ])('%i for the pulse %j', async (expected, pulse, text) => {
    beat(pulse);
    const { code, out } = await runMain('status', config);
    expect([code, out]).toEqual([expected, expect.stringMatching(text)]);
    const json = await runMain('status', config, '--json');
    expect(json.code).toBe(expected);
    expect(JSON.parse(json.out)).toHaveProperty('state', ['well', 'degraded', 'down'][expected]);
  });

  test('3 where two bots are asked for, instead of what the first is', async () => {
    beat();
    const other = write('other');
    const { code, out, err } = await runMain('status', config, other);
    expect([code, out, err]).toEqual([3, '', expect.stringContaining(`${other} is one too many`)]);
  });
});
