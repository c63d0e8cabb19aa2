import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, test } from 'vitest';
import { createSqliteStore } from '../../src/journal/index.ts';
import { controlFilesOf, writeWhole, type Pulse } from '../../src/operate/control/controlFiles.ts';
import { pulseOf } from '../cli/pulseOf.ts';
import { createStory, STORY_TIME } from './createStory.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { fillJournal, HOUR } from './fillJournal.ts';
import { shipped } from './putBot.ts';

const story = createStory([
  [/\.\d+\.part\b/g, '.N.part'],
  [/\bprocess \d+/g, 'process N'],
  [/"pid":\d+/g, '"pid":N'],
  [/[\d.]+ \wiB free, \d+ %/g, 'SPACE'],
]);
afterAll(() => story.end());

function putServed(name: string, more = '', journal = './bot.sqlite'): void {
  story.put(
    name,
    `name: served
link: { kind: paper_service, base_url: "http://127.0.0.1:1", ws_url: "ws://127.0.0.1:1", key_id: vk_a, secret: { file: ./secret } }
strategies: [{ name: trend, use: ${shipped('emaTrend')}, symbols: [ETH] }, { name: range, use: ./none.ts, symbols: [BTC], shadow: { use: ./next.ts } }]
journal: ${journal}
${more}
`,
  );
}

test('commands on a journal, and on a bot that does not run, leave what they left before', async () => {
  story.put('secret', `vs_${'x'.repeat(40)}\n`);
  chmodSync(join(story.folder, 'secret'), 0o600);
  putServed('bot.yaml');
  putServed('none.yaml', '', './none.sqlite');
  putServed('memory.yaml', '', 'memory');
  putServed(
    'watched.yaml',
    'watchdog: { key_id: vk_w, secret: { file: ./secret }, silence_seconds: 30 }\nguards: { daily_loss_limit: 5 }\noperate: { listen: "127.0.0.1:0", notify: [{ kind: webhook, url: "http://127.0.0.1:1/x" }] }',
  );
  story.put(
    'paper.yaml',
    `name: embedded\nlink: { kind: paper }\npaper: { feeds: [{ symbol: BTC, interval: 1m, generate: { bars: 9 } }] }\njournal: bot.sqlite\nstrategies: [{ use: ${shipped('emaTrend')}, symbols: [BTC] }]\n`,
  );
  const store = createSqliteStore(join(story.folder, 'bot.sqlite'));
  const keys = await fillJournal(store, STORY_TIME - 20 * HOUR);
  await store.close();
  const outcomes = new Map<string, Outcome>();
  const play = async (words: string): Promise<void> => {
    const argv = words
      .split(' ')
      .map((word) =>
        word.replaceAll('~', ' ').replace(/^KEY(\d+)/, (_all, at: string) => keys[Number(at)]!),
      );
    outcomes.set(words, await story.run(...argv));
  };
  const playAll = async (lines: readonly string[]): Promise<void> => {
    for (const line of lines) await play(line);
  };
  await playAll([
    'journal list @bot.sqlite',
    'journal list @bot.yaml --limit 4',
    'journal list @bot.sqlite --state denied,unknown,unresolved',
    'journal list @bot.sqlite --instance range --wallet main',
    'journal list @bot.sqlite --instance nobody',
    'journal list @bot.sqlite --wallet side --kind place_order',
    'journal list @bot.sqlite --since 5h',
    'journal list @bot.sqlite --since 2026-01-31T08:00',
    'journal list @bot.sqlite --since 2030-01-01',
    'journal list @bot.sqlite --state sent',
    'journal list @bot.sqlite --limit 0',
    'journal list @bot.sqlite --cursor x',
    'journal list @bot.sqlite --account other',
    ...keys.flatMap((_key, at) => [
      `journal show @bot.sqlite KEY${at}`,
      `journal explain @bot.yaml KEY${at}`,
    ]),
    'journal show @bot.sqlite zz',
    'journal explain @bot.sqlite ~',
    'journal latches @bot.sqlite',
    'journal verify @bot.sqlite',
    'journal export @bot.sqlite',
    'journal export @bot.sqlite --format csv',
    'journal export @memory.yaml',
    'journal backup @bot.sqlite @copy.sqlite',
    'journal backup @bot.sqlite @copy.sqlite',
    'journal backup @bot.sqlite @nowhere/copy.sqlite',
    'journal verify @copy.sqlite',
    'journal downgrade @bot.sqlite @former.sqlite --to 1',
    'journal downgrade @bot.sqlite @former.sqlite --to 9',
    'journal list @none.sqlite',
    'journal list @secret',
    'journal lsit @bot.sqlite',
    'report @bot.yaml --day 2026-01-31',
    'report @bot.yaml --day 2026-01-30 --tz Europe/Berlin',
    'report @bot.yaml --day',
    'report @bot.yaml --day 2026-02-30',
    'report @bot.yaml --day 2026-01-31 --tz Mars',
    'view @bot.sqlite --json',
    'view @bot.sqlite --json --at 2026-01-31T03:00Z',
    'compare-live @bot.yaml --json',
    'compare-live @bot.yaml --strategy trend',
    'status @bot.yaml',
    'status @bot.yaml --json',
    'status @none.yaml',
    'status @memory.yaml',
    'status @paper.yaml',
    'status @bot.yaml @none.yaml',
    'doctor @bot.yaml',
    'doctor @bot.yaml --json',
    'doctor @none.yaml',
    'doctor @memory.yaml --fix',
    'doctor @watched.yaml',
    'doctor @paper.yaml',
    'settle @bot.yaml KEY4 --as absent --reason not~in~its~list',
    'settle @bot.yaml KEY4 --as absent --reason again',
    'settle @bot.yaml KEY13 --as accepted --record bas_1 --unchecked --reason seen',
    'settle @bot.yaml KEY3 --as accepted --record ord_1 --reason seen',
    'settle @bot.yaml KEY3 --as accepted --record ord_1 --unchecked --reason seen',
    'settle @bot.yaml KEY0 --as absent --reason no',
    'settle @bot.yaml KEY0 --as maybe --reason no',
    'settle @bot.yaml KEY0 --as absent',
    'settle @bot.yaml zz --as absent --reason no',
    'settle @none.yaml KEY0 --as absent --reason no',
    'pause @bot.yaml trend --reason a~look',
    'pause @bot.yaml trend --reason again',
    'pause @bot.yaml nobody --reason x',
    'resume @bot.yaml trend --reason seen',
    'resume @bot.yaml trend',
    'promote @bot.yaml range --reason well',
    'promote @bot.yaml range --to live --reason well',
    'promote @bot.yaml range --back --reason no',
    'promote @bot.yaml range --back --to live --reason no',
    'promote @bot.yaml range --back --hand-over BTC,SOL --reason no',
    'promote @bot.yaml trend --reason well',
    'promote @bot.yaml trend',
    'rotate @bot.yaml',
    'rotate @none.yaml --reason quarterly',
    'kill @bot.yaml L1',
    'kill L1 @bot.yaml',
    'kill L2 @bot.yaml --reason a~drill',
    'kill L9 @bot.yaml',
    'kill L3 @none.yaml',
    'kill L3 @paper.yaml',
    'kill L4 @memory.yaml',
    'status @bot.yaml',
    'rearm @bot.yaml --reason over',
    'rearm @bot.yaml',
    'watchdog @bot.yaml',
    'notify @bot.yaml',
    'notify @watched.yaml',
    'run @bot.yaml --keep-journal',
    'run @bot.yaml --adopt BTC=nobody',
    'run @bot.yaml --live',
    'journal latches @bot.yaml',
    'journal restore @bot.yaml @copy.sqlite',
    'journal restore @bot.yaml @none.sqlite',
    'journal restore @bot.yaml @secret',
    'journal latches @bot.yaml',
    'doctor @bot.yaml --json',
  ]);
  await expectRecorded('commandControl', outcomes);

  const damages: Readonly<Record<string, string>> = {
    state: "UPDATE intents SET state = 'accepted' WHERE state = 'unresolved'",
    data: "UPDATE entries SET data = '{}' WHERE state = 'guarded'",
    torn: "UPDATE entries SET data = '{' WHERE state = 'denied'",
    missing: "DELETE FROM entries WHERE state = 'sending'",
    key: "UPDATE intents SET decision_key = 'other' WHERE state = 'denied'",
    intent: "UPDATE intents SET intent = '[]' WHERE state = 'denied'",
    latch: "UPDATE latches SET value = 'L9'",
  };
  const damaged = new Map<string, Outcome>();
  for (const [name, sql] of Object.entries(damages)) {
    const path = join(story.folder, `${name}.sqlite`);
    const spoilt = createSqliteStore(path);
    await fillJournal(spoilt, STORY_TIME - 20 * HOUR);
    await spoilt.close();
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
    for (const command of ['verify', 'list', 'export', 'latches', 'backup'])
      damaged.set(
        `${command} ${name}`,
        await story.run(
          'journal',
          command,
          `@${name}.sqlite`,
          ...(command === 'backup' ? [`@${name}-copy.sqlite`] : []),
        ),
      );
    damaged.set(
      `explain ${name}`,
      await story.run('journal', 'explain', `@${name}.sqlite`, keys[1]!),
    );
  }
  await expectRecorded('commandDamaged', damaged);
}, 300_000);

const AGES = [0, 9_000, 61_000, 4 * HOUR];
/** What a process of the bot wrote last. */
const PULSES: ReadonlyArray<Partial<Pulse>> = [
  {},
  { level: 'L1' },
  { level: 'L2', unended: { time: 0, left: ['an order'] } },
  { level: 'L4' },
  { reasons: ['stale data', 'no stream'] },
  { failed: { time: 0, reason: 'the disk is full' } } as Partial<Pulse>,
  { pid: 999_999_999 },
  { obeyed: STORY_TIME - 1 },
];

test('the status of a bot is said as before, whatever its pulse says', async () => {
  const outcomes = new Map<string, Outcome>();
  putServed('pulse.yaml', '', './pulse/bot.sqlite');
  mkdirSync(join(story.folder, 'pulse'), { recursive: true });
  const files = controlFilesOf(join(story.folder, 'pulse/bot.sqlite'));
  for (const [at, pulse] of PULSES.entries())
    for (const age of AGES) {
      writeWhole(files.pulse, pulseOf({ time: STORY_TIME - age, ...pulse }));
      outcomes.set(
        `pulse ${at}, ${age} ms old`,
        await story.run('status', '@pulse.yaml', ...(age === 0 ? ['--json'] : [])),
      );
      if (age === 61_000)
        outcomes.set(`doctor, pulse ${at}`, await story.run('doctor', '@pulse.yaml', '--json'));
    }
  rmSync(files.pulse);
  await expectRecorded('commandStatus', outcomes);
}, 300_000);

const COMMANDS = [
  'run',
  'backtest',
  'dev',
  'sweep',
  'worker',
  'check',
  'compare',
  'compare-live',
  'report',
  'replay',
  'diff',
  'view',
  'paper',
  'init',
  'schema',
  'conformance',
  'data',
  'data import',
  'data check',
  'data show',
  'journal',
  'journal list',
  'journal show',
  'journal explain',
  'journal latches',
  'journal verify',
  'journal backup',
  'journal restore',
  'journal downgrade',
  'journal export',
  'kill',
  'rearm',
  'pause',
  'resume',
  'promote',
  'rotate',
  'settle',
  'logs',
  'status',
  'doctor',
  'notify',
  'watchdog',
];

test('help and refusals of each command are what they were', async () => {
  const outcomes = new Map<string, Outcome>();
  const play = async (name: string, ...argv: readonly string[]): Promise<void> =>
    void outcomes.set(name, await story.run(...argv));
  story.put('bad.yaml', 'nmae: x\n');
  story.put(
    'some.log',
    [
      '{"level":30,"time":1769860800000,"strategy":"trend","symbol":"ETH","wallet":"main","key":"5e2f-1","msg":"launch accepted"}',
      '{"level":50,"time":1769860800000,"msg":"Kill level L2","reason":"a \\"quoted\\" reason"}',
      '{"level":20,"time":1769860800000,"strategy":"grid","msg":"x"}',
      'a start',
      '{"level":30}',
      'half {"level":',
    ].join('\n'),
  );
  for (const command of COMMANDS) {
    const words = command.split(' ');
    await play(`${command} --help`, ...words, '--help');
    await play(
      `${command}, nothing`,
      ...(['paper', 'init', 'logs', 'schema'].includes(command) ? [...words, '--none'] : words),
    );
    await play(`${command}, an unknown option`, ...words, '--nnoe', 'x');
    if (
      ![
        'dev',
        'paper',
        'init',
        'schema',
        'conformance',
        'data',
        'journal',
        'logs',
        'worker',
      ].includes(command)
    ) {
      const rest =
        words[0] === 'pause' || words[0] === 'resume' || words[0] === 'promote' ? ['trend'] : [];
      const first = command === 'kill' ? ['L1'] : [];
      await play(`${command}, a bad file`, ...words, ...first, '@bad.yaml', ...rest, '--json');
      await play(`${command}, no file`, ...words, ...first, '@nowhere/none.yaml', ...rest);
    }
  }
  for (const line of [
    'rnu',
    'help',
    '--version',
    '--help',
    '',
    'schema',
    'schema --out @schema.json',
    'init @project',
    'init @project',
    'init @alone --no-project',
    'init @some.log',
    'logs @some.log',
    'logs @some.log --key 5e2f',
    'logs @some.log --strategy grid',
    'logs @some.log --symbol ETH --level info',
    'logs @some.log --wallet side',
    'logs @some.log --level warn --tz Europe/Berlin',
    'logs @some.log --tz Mars',
    'logs @none.log',
    'conformance --base-url http://127.0.0.1:9 --ws-url ws://127.0.0.1:9 --key-id k',
    'conformance --base-url x --ws-url y --key-id k --secret-env NOT_THERE',
    'paper --port 99999',
    'paper --speed fast',
    'paper --feed BTC',
    'paper --feed BTC@1m=@none.csv',
    'paper --balance -1',
    'paper --warmup x',
    'paper --config @bad.yaml',
    'paper --trades BTC=@none.csv',
    'paper --book BTC',
    'worker --engine postgres://127.0.0.1:1/x --trust short',
    'worker --engine x --trust y --threads 0',
  ])
    await play(line, ...line.split(' ').filter(Boolean));
  await expectRecorded('commandHelp', outcomes);
}, 300_000);
