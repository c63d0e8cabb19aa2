/** What `kill`, `rearm`, `pause` and `resume` ask of a bot and say of it, for a bot that runs and for one that does not. */
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSqliteStore } from '../../src/journal/index.ts';
import {
  controlFilesOf,
  killCommand,
  readWhole,
  strategyCommand,
  writeWhole,
  type ControlFiles,
  type Pulse,
  type Settled,
} from '../../src/operate/control/controlFiles.ts';
import { personHere } from '../../src/cli/control/personHere.ts';
import { readLatch } from '../../src/runtime/index.ts';
import { inTurn } from '../inTurn.ts';
import { pulseOf } from './pulseOf.ts';
import { runMain } from './runMain.ts';

const LINK =
  '{ kind: paper_service, base_url: "http://127.0.0.1:1", ws_url: "ws://127.0.0.1:1", key_id: vk_a, secret: { env: TRIMTAB_TEST_SECRET } }';
const LEVELS = ['L0', 'L1', 'L2', 'L3', 'L4'] as const;
type Level = (typeof LEVELS)[number];

/** A reason as it is journaled, with who gave it. */
const signed = (reason: string): string => `${reason} (by ${personHere()})`;

let folder: string;
let journal: string;
let config: string;
let files: ControlFiles;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-cli-kill-'));
  journal = join(folder, 'bot.sqlite');
  files = controlFilesOf(journal);
  config = write('bot');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, more: { link?: string; journal?: string } = {}): string {
  const { link = LINK, journal: path = './bot.sqlite' } = more;
  const file = join(folder, `${name}.yaml`);
  const strategies = ['trend', 'range'].map(
    (each) => `{ name: ${each}, use: ./own.ts, symbols: [${each === 'trend' ? 'BTC' : 'ETH'}] }`,
  );
  writeFileSync(
    file,
    `name: remote\nlink: ${link}\nstrategies: [${strategies.join(', ')}]\njournal: ${path}\n`,
  );
  return file;
}

/** What a process of the bot's has written last. */
const leavePulse = (more: Partial<Pulse>): void => writeWhole(files.pulse, pulseOf(more));

/** A bot that runs: what it is asked, and its answer to each. */
function runBot(answer: {
  pulse?: Partial<Pulse>;
  settled?: Partial<Settled>;
  /** It answers nothing, or not what has ended. */
  keeps?: 'silent' | 'unsure';
  /** When its last pulse was written. */
  time?: number;
}) {
  const pulse = pulseOf({ time: answer.time ?? Date.now() });
  writeWhole(files.pulse, pulse);
  const asked: object[] = [];
  const taken = new Set<number>();
  const timer = setInterval(() => {
    for (const next of [
      readWhole(files.command, killCommand),
      readWhole(files.strategy, strategyCommand),
    ]) {
      if (next === undefined || taken.has(next.time) || answer.keeps === 'silent') continue;
      taken.add(next.time);
      const { time, ...rest } = next;
      asked.push(rest);
      if ('level' in rest) {
        const unended = { time, left: [] };
        const { failed, ...more } = answer.pulse ?? {};
        writeWhole(files.pulse, {
          ...pulse,
          level: rest.level,
          obeyed: time,
          ...(answer.keeps !== 'unsure' && { unended }),
          ...more,
          ...(more.unended && { unended: { time, left: more.unended.left } }),
          ...(failed && { failed: { ...failed, time } }),
        });
      } else writeWhole(files.strategyDone, { time, ...answer.settled });
    }
  }, 5);
  return { asked, stop: () => clearInterval(timer) };
}

describe('a bot that runs', () => {
  test.each<[string, readonly string[], Partial<Pulse>, number, string, string?]>([
    ['is taken to each level', ['kill', 'L1'], {}, 0, 'remote is at L1.\n'],
    ['at its end', ['kill', 'L4'], {}, 0, 'remote is at L4.\n'],
    ['armed again', ['rearm'], {}, 0, 'remote is at L0.\n'],
    [
      'armed again, with what still keeps it from entering',
      ['rearm'],
      { reasons: ['stale data', 'no stream'] },
      0,
      'remote is at L0. No entries yet: stale data, no stream.\n',
    ],
    [
      'armed again, whatever an earlier kill left',
      ['rearm'],
      { unended: { time: 0, left: ['an order'] } },
      0,
      'remote is at L0.\n',
    ],
    ['at a higher level already', ['kill', 'L2'], { level: 'L3' }, 0, 'remote is already at L3.\n'],
    [
      'unable to end all',
      ['kill', 'L2'],
      { unended: { time: 0, left: ['an order', 'a leg'] } },
      4,
      'remote is at L2.\n',
      'TRIMTAB_BOT_UNENDED: remote could not end or verify:\n  an order\n  a leg\n',
    ],
    [
      'to send nothing more, which ends nothing',
      ['kill', 'L4'],
      { unended: { time: 0, left: ['an order'] } },
      4,
      'remote is at L4.\n',
      'an order\n  The wire is cut: it ends nothing more. End it on the service.\n',
    ],
    [
      'unable to end all at a higher level',
      ['kill', 'L2'],
      { level: 'L3', unended: { time: 0, left: ['an order'] } },
      4,
      'remote is already at L3.\n',
      'could not end or verify:\n  an order\n',
    ],
    [
      'unable to persist a level',
      ['kill', 'L2'],
      { failed: { time: 0, reason: 'the disk is full' } },
      1,
      '',
      'a restart before it succeeds would lose the level',
    ],
    [
      'unable to persist that it is armed',
      ['rearm'],
      { failed: { time: 0, reason: 'the disk is full' } },
      1,
      '',
      'that is not persisted: the disk is full.',
    ],
  ])('%s', async (_what, argv, pulse, code, out, err = '') => {
    const bot = runBot({ pulse });
    const [command, level] = argv;
    const said = await runMain(...argv, config, '--reason', 'a test of it');
    bot.stop();
    expect([said.code, said.out]).toEqual([code, out]);
    // A failure names its code behind its first sentence.
    const plain = said.err.replace(/^trimtab: /m, '');
    for (const line of err.replace(/^TRIMTAB_\w+: /, '').split('\n')) expect(plain).toContain(line);
    if (err === '') expect(said.err).toBe('');
    if (command === 'rearm') expect(said.err).not.toContain('would lose');
    expect(bot.asked).toEqual([{ level: level ?? 'L0', reason: signed('a test of it') }]);
  });

  test.each<[string, string, Partial<Settled>, number, string]>([
    ['pause', 'range', {}, 0, 'range of remote is paused and adds no exposure.\n'],
    ['resume', 'range', {}, 0, 'range of remote may enter again.\n'],
    [
      'resume',
      'range',
      { done: 'not_paused' },
      0,
      'range of remote was not paused; nothing has changed.\n',
    ],
    ['pause', 'trend', { refused: 'it may not' }, 1, 'trend of remote: it may not.\n'],
    ['pause', 'trend', { failed: 'full' }, 1, 'full. It is paused until the process ends.\n'],
    ['resume', 'trend', { failed: 'full' }, 1, 'trend of remote: full.\n'],
  ])('is told to %s %s, and answers %j', async (action, strategy, settled, code, text) => {
    const bot = runBot({ settled });
    const said = await runMain(action, config, strategy, '--reason', 'a test of it');
    bot.stop();
    expect(said.code).toBe(code);
    expect(code === 0 ? said.out : said.err).toContain(text);
    expect(bot.asked).toEqual([{ instance: strategy, do: action, reason: signed('a test of it') }]);
  });

  test('is told who gave no reason', async () => {
    const bot = runBot({});
    await runMain('pause', config, 'trend');
    bot.stop();
    expect(bot.asked).toMatchObject([{ reason: `by hand, ${personHere()}` }]);
  });

  test('has no other strategies', async () => {
    const bot = runBot({});
    const said = await runMain('pause', config, 'trent');
    bot.stop();
    expect([said.code, bot.asked]).toEqual([2, []]);
    expect(said.err).toContain('remote has no strategy trent.');
    expect(said.err).toContain('Did you mean trend?');
  });
});

test('a command to a bot whose journal another host writes names that host’s shell as the remedy', async () => {
  const writer = createSqliteStore(journal);
  try {
    for (const argv of [
      ['kill', 'L1', config],
      ['rearm', config],
      ['pause', config, 'trend'],
      ['resume', config, 'trend'],
      ['promote', config, 'trend', '--back', '--reason', 'a test of it'],
    ]) {
      const { code, err } = await runMain(...argv);
      expect([argv[0], code]).toEqual([argv[0], 1]);
      expect(err).toContain('remote is not running on this host, and its journal is written');
      expect(err).toContain(`bot.sqlite is in use by this process: pid ${process.pid}`);
      expect(err).toContain('Run this command on the host where it runs, or once it has started.');
      expect(err).toContain('TRIMTAB_JOURNAL_IN_USE');
      // A pause needs no end of the bot.
      expect(err).not.toContain('Stop that one first');
    }
  } finally {
    await writer.close();
  }
});

test('a blank reason is none, and none where one is needed', async () => {
  const { code, err } = await runMain('promote', config, 'trend', '--reason', ' ');
  expect([code, err]).toEqual([2, expect.stringContaining('Say why: who reads the journal')]);
  await createSqliteStore(journal).close();
  await runMain('kill', 'L1', config, '--reason', ' ');
  const store = createSqliteStore(journal);
  expect(readLatch(store, journal)).toMatchObject({ reason: `by hand, ${personHere()}` });
  await store.close();
});

test('a bot whose journal has a file in its path is refused with code and remedy', async () => {
  writeFileSync(join(folder, 'taken'), '');
  const file = write('astray', { journal: './taken/bot.sqlite' });
  const { code, err } = await runMain('pause', file, 'trend', '--reason', 'a test of it');
  expect([code, err]).toEqual([1, expect.stringContaining('(TRIMTAB_JOURNAL_UNOPENED: ')]);
  expect(err).toContain(`${join(folder, 'taken')} is a file, and no folder.\n  Name another path.`);
});

// They wait as long as an operator does.
const slowly = inTurn(4);

slowly('a bot that hangs is told, with what to do', async () => {
  // Its journal is its own, however long it has been silent.
  const store = createSqliteStore(journal);
  const bot = runBot({ keeps: 'silent', time: Date.now() - 20_000 });
  const [killed, paused] = await Promise.all([
    runMain('kill', 'L2', config),
    runMain('pause', config, 'trend'),
  ]);
  bot.stop();
  await store.close();
  expect([killed.code, paused.code]).toEqual([1, 1]);
  expect(killed.err + paused.err).toContain(`remote (process ${process.ppid})`);
  expect(killed.err + paused.err).toContain(`kill ${process.ppid}, or kill -KILL`);
});

slowly('a bot that does not say what has ended is told', async () => {
  const bot = runBot({ keeps: 'unsure' });
  const { code, out, err } = await runMain('kill', 'L2', config);
  bot.stop();
  expect([code, out]).toEqual([4, 'remote is at L2.\n']);
  expect(err).toContain('has not confirmed in time that everything the level ends has ended');
});

slowly(
  'a bot that is stopping is no hang: a kill is for its next start, a rearm is not left',
  async () => {
    const beat = (): void => leavePulse({ stopping: true });
    beat();
    const timer = setInterval(beat, 1_000);
    const [killed, paused] = await Promise.all([
      runMain('kill', 'L2', config),
      runMain('pause', config, 'trend'),
    ]);
    rmSync(files.command);
    const rearmed = await runMain('rearm', config);
    clearInterval(timer);
    for (const { code, err } of [killed, rearmed, paused]) {
      expect(code).toBe(1);
      expect(err).toContain('TRIMTAB_BOT_STOPPING');
      expect(err).toContain('remote is stopping, by its stop policy');
      expect(err).not.toMatch(/hangs|KILL /);
    }
    expect(killed.err).toContain('Its next start is at L2.');
  },
);

test('a bot that ends before it carries out a kill has it from its next start', async () => {
  await createSqliteStore(journal).close();
  const bot = runBot({ keeps: 'silent' });
  const killing = runMain('kill', 'L2', config, '--reason', 'while it stops');
  await new Promise((resolve) => setTimeout(resolve, 300));
  bot.stop();
  leavePulse({ ended: 'in_order' });
  const { code, err } = await killing;
  expect(code).toBe(1);
  expect(err).toContain(
    'remote is not running; its next start is at L2. Nothing was cancelled now',
  );
  const store = createSqliteStore(journal);
  expect(readLatch(store, journal)).toMatchObject({
    level: 'L2',
    reason: signed('while it stops'),
  });
  await store.close();
});

describe('a process that has the id of a bot that is gone', () => {
  test('is no bot that hangs: nobody writes the journal', async () => {
    await createSqliteStore(journal).close();
    const bot = runBot({ keeps: 'silent', time: Date.now() - 20_000 });
    const killed = await runMain('kill', 'L1', config);
    expect([killed.code, killed.out]).toEqual([
      0,
      'remote is not running; its next start is at L1.\n',
    ]);
    const paused = await runMain('pause', config, 'trend');
    expect(paused.out).toContain('remote is not running; from its next start trend is paused');
    bot.stop();
  });

  test('is not the command itself', async () => {
    await createSqliteStore(journal).close();
    leavePulse({ pid: process.pid, time: Date.now() - 20_000 });
    expect((await runMain('kill', 'L1', config)).out).toContain('remote is not running');
  });
});

describe('a bot that is stopped', () => {
  beforeEach(() => createSqliteStore(journal).close());

  const latched = async (): Promise<Level> => {
    const store = createSqliteStore(journal);
    const level = readLatch(store, journal)?.level ?? 'L0';
    await store.close();
    return level;
  };

  test('starts at the highest level that it was told, until it is armed again', async () => {
    let level: Level = 'L0';
    for (const asked of [
      'L1',
      'L1',
      'L0',
      'L3',
      'L2',
      'L1',
      'L4',
      'L3',
      'L0',
      'L0',
      'L2',
      'L1',
    ] as const) {
      const argv = asked === 'L0' ? ['rearm', config] : ['kill', asked, config];
      const before: Level = level;
      const isRearm = asked === 'L0';
      level = isRearm || LEVELS.indexOf(asked) > LEVELS.indexOf(before) ? asked : before;
      const { code, out, err } = await runMain(...argv);
      expect(await latched()).toBe(level);
      const already = level === asked ? '' : ' already';
      const next = `remote is not running; its next start is at ${level}${already}.`;
      if (isRearm) {
        const was = before === 'L0' ? 'was at L0 already' : `was at ${before}, and starts at L0`;
        expect([code, out]).toEqual([0, `remote is not running; it ${was}.\n`]);
      } else if (asked === 'L1') {
        expect([code, out]).toEqual([0, `${next}\n`]);
      } else {
        // Nothing is cancelled until it starts.
        expect([code, out]).toEqual([1, '']);
        expect(err).toContain(`${next} Nothing was cancelled now`);
        // A start at L4 has its wire cut, and cancels nothing either.
        const applied = level === 'L4' ? 'a start at L4 sends nothing' : 'which applies the level';
        expect(err).toContain(applied);
      }
    }
  });

  test('is armed again with its strategies, and says which of them had entered too often', async () => {
    const store = createSqliteStore(journal);
    await store.setLatch('throttle range', { value: 'on', reason: 'too often', time: 1 });
    await store.close();
    expect(await runMain('rearm', config)).toMatchObject({
      code: 0,
      out: 'remote is not running; it was at L0 already. No longer throttled: range.\n',
    });
  });

  test('starts with the pauses that it was told', async () => {
    const of = async () => {
      const store = createSqliteStore(journal);
      const found = store.latches().filter(({ name }) => name.startsWith('pause '));
      await store.close();
      return found.map(({ name, value, reason }) => [name, value, reason]);
    };
    expect(await runMain('pause', config, 'range', '--reason', 'one')).toMatchObject({
      code: 0,
      out: 'remote is not running; from its next start range is paused and adds no exposure.\n',
    });
    expect(await of()).toEqual([['pause range', 'on', signed('one')]]);
    expect(await runMain('resume', config, 'range', '--reason', 'two')).toMatchObject({
      code: 0,
      out: 'remote is not running; from its next start range may enter again.\n',
    });
    expect((await of()).at(-1)).toEqual(['pause range', 'off', signed('two')]);
    expect(await runMain('resume', config, 'range', '--reason', 'three')).toMatchObject({
      code: 0,
      out: 'range of remote was not paused; nothing has changed.\n',
    });
    expect((await of()).at(-1)).toEqual(['pause range', 'off', signed('two')]);
  });
});

describe('no level is set', () => {
  test('where there is no journal, and none is made', async () => {
    const { code, err } = await runMain('kill', 'L1', config);
    expect(code).toBe(1);
    expect(err).toContain('is not running on this host, or not with this journal');
    expect(await runMain('kill', 'L1', config)).toMatchObject({ code: 1 });
  });

  // The bot may run with another journal, where nothing of it would be known.
  test.each([
    ['pause', 'trend'],
    ['resume', 'trend'],
    ['promote', 'trend', '--reason', 'well', '--hand-over', 'BTC'],
  ])('by %s of a strategy either', async (action, ...rest) => {
    const { code, out, err } = await runMain(action, config, ...rest);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('is not running on this host, or not with this journal');
    expect(existsSync(journal)).toBe(false);
  });

  test('where the journal is none', async () => {
    writeFileSync(journal, 'name: bot\n'.repeat(500));
    const { code, err } = await runMain('kill', 'L1', config);
    expect(code).toBe(1);
    expect(err).toContain('it is not a SQLite file');
  });

  test.each(['kill L1', 'rearm', 'pause trend'])(
    'where the bot takes no commands: %s',
    async (text) => {
      const [command = '', ...rest] = text.split(' ');
      const at = (file: string): string[] =>
        command === 'kill' ? [command, ...rest, file] : [command, file, ...rest];
      const paper =
        '{ kind: paper }\npaper: { feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 300 } }, { symbol: ETH, interval: 1m, generate: { seed: 1, bars: 300 } }] }';
      const embedded = await runMain(...at(write('embedded', { link: paper })));
      expect([embedded.code, embedded.out]).toEqual([1, '']);
      expect(embedded.err).toContain('remote has its paper service in its own process');
      const inMemory = await runMain(...at(write('memory', { journal: 'memory' })));
      expect(inMemory.code).toBe(1);
      expect(inMemory.err).toContain('keeps its journal in memory');
    },
  );
});

describe('a bot whose journal is a database that this shell has no address of', () => {
  const database = '{ url: { env: TRIMTAB_TEST_NO_SUCH_DATABASE } }';
  const bot = (): string => {
    const file = write('elsewhere', { journal: database });
    // Its control files are beside its configuration.
    files = controlFilesOf(file);
    return file;
  };

  test.each<[string, string[], string]>([
    ['kill', ['L2'], 'remote is at L2.\n'],
    ['rearm', [], 'remote is at L0.\n'],
    ['pause', ['trend'], 'trend of remote is paused and adds no exposure.\n'],
    ['resume', ['trend'], 'trend of remote may enter again.\n'],
  ])('takes %s while it runs', async (command, words, said) => {
    const file = bot();
    const { asked, stop } = runBot({});
    const line = command === 'kill' ? [command, ...words, file] : [command, file, ...words];
    const { code, out, err } = await runMain(...line);
    stop();
    expect([code, out, err]).toEqual([0, said, '']);
    expect(asked).toHaveLength(1);
  });

  test('shows its status', async () => {
    const file = bot();
    leavePulse({});
    const { code, out } = await runMain('status', file);
    expect([code, out]).toEqual([0, expect.stringContaining('remote is well')]);
  });

  test.each<[string, string[]]>([
    ['kill', ['L2']],
    ['rearm', []],
    ['pause', ['trend']],
    ['watchdog', []],
    ['settle', ['5e2f', '--as', 'absent', '--reason', 'looked']],
  ])('says to %s, where the journal is needed, what it lacks', async (command, words) => {
    const file = bot();
    const watch =
      'watchdog: { key_id: vk_w, secret: { env: TRIMTAB_TEST_SECRET }, silence_seconds: 30 }\n';
    if (command === 'watchdog') appendFileSync(file, watch);
    const line = command === 'kill' ? [command, ...words, file] : [command, file, ...words];
    const { code, err } = await runMain(...line);
    expect(code).toBe(1);
    expect(err).toContain('journal.url: the environment variable TRIMTAB_TEST_NO_SUCH_DATABASE');
    expect(err).toContain('TRIMTAB_CONFIG_SECRET');
    expect(err).not.toContain('--debug');
    if (command === 'kill' || command === 'rearm')
      expect(err).toContain('not running on this host');
  });
});
