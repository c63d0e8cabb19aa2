import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncScheduler, interval, take, timer } from 'rxjs';
import { onTestFinished, test } from 'vitest';
import { counted } from '../../src/env/counted.ts';
import { countBefore, countUntil } from '../../src/env/countUntil.ts';
import { createDelay } from '../../src/env/createDelay.ts';
import { withFullStop, withoutFullStop } from '../../src/env/fullStop.ts';
import { inParts } from '../../src/env/inParts.ts';
import {
  after,
  atMost,
  createLiveMarketClock,
  createRandom,
  createVirtualEnv,
  meantFile,
  OpenMap,
  pause,
  reasonOf,
  sha256,
  TaskQueue,
  within,
} from '../../src/env/index.ts';
import {
  describeBlock,
  describeEnd,
  RETURNED,
  toText,
} from '../../src/env/loopWatch/describeBlock.ts';
import type { LoopWatch } from '../../src/env/loopWatch/LoopWatch.ts';
import { makeFolders } from '../../src/env/makeFolders.ts';
import { nearest } from '../../src/contract/nearest.ts';
import { pauseUnless } from '../../src/env/pause.ts';
import { readRegularFile, readRegularText } from '../../src/env/readRegularFile.ts';
import { secretPartsOf, withoutSecrets } from '../../src/env/withoutSecrets.ts';
import { shellWord } from '../../src/env/shellWord.ts';
import { subscriptionKey } from '../../src/env/subscriptionKey.ts';
import { toSchedulerLike } from '../../src/env/toSchedulerLike.ts';
import {
  compareAccounts,
  describeDatabase,
  foreignJournal,
  goesOnIn,
  idempotencyKeyOf,
  INTENT_STATES,
  isCursor,
  isFinal,
  isLegalTransition,
  isPostgresUrl,
  isUnsent,
  journalFailureCode,
  journalNamed,
  keyOfRemainder,
  requireAccount,
  staysWhole,
  withoutPassword,
  createMemoryStore,
} from '../../src/journal/index.ts';
import { checksumOf } from '../../src/journal/checksumOf.ts';
import { monitorIdsOf } from '../../src/journal/monitorIdsOf.ts';
import { toCopyFault, toJournalFault } from '../../src/journal/sqlite/toJournalFault.ts';
import { pick } from '../simulation/drawing.ts';
import { answerLine, laterLine, lineOf } from './answerLine.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';

const WORDS = [
  '',
  'ema',
  'EMA',
  'emma',
  'mea',
  'supertrend',
  'super_trend',
  'vwap',
  'a b',
  "it's",
  'x;y',
];
const TEXTS = [
  '',
  'done',
  'done.',
  'why?',
  'now!',
  'and so on…',
  'e.g. this',
  'vs_abc-DEF_9 leaks',
];
const URLS = [
  'postgres://u:p%40ss@db.example:5432/bots?sslmode=require',
  'postgresql://db/bots?password=se%20cret&x=1',
  'POSTGRES://only',
  'https://hooks.example/services/T0/B1?token=abcdefghij',
  'http://user:longpassword@host/',
  'file:///tmp/bot.sqlite',
  'bot.sqlite',
  'postgres://u:%@h/x',
];

test('helpers answer as before', async () => {
  const texts = new Map<string, string[]>();
  const section = (name: string, lines: readonly string[]): void =>
    void texts.set(name, [...lines]);
  section(
    'nearest',
    WORDS.flatMap((word) => [
      lineOf([
        word,
        nearest(
          word,
          WORDS.filter((one) => one !== word),
        ),
        nearest(word, []),
      ]),
      shellWord(word),
    ]),
  );
  section(
    'texts',
    TEXTS.map((text) =>
      lineOf([withFullStop(text), withoutFullStop(text), withoutSecrets(text), sha256(text)]),
    ),
  );
  section(
    'addresses',
    URLS.flatMap((url) => [
      lineOf([secretPartsOf(url), isPostgresUrl(url), describeDatabase(url)]),
      withoutPassword(`${url} and p@ss, p%40ss, se cret, se%20cret, % refused`, url),
    ]),
  );
  section('counts', [
    ...[0, 1, 2].map((count) => `${counted(count, 'row')} ${counted(count, 'entry', 'entries')}`),
    ...[-1, 0, 1, 1.5, 3, 3.5, 9].map((time) =>
      lineOf([countUntil([0, 1, 1, 3, 3, 7], time), countBefore([0, 1, 1, 3, 3, 7], time)]),
    ),
    ...[new Error('why'), 'text', 7, undefined].map(reasonOf),
    ...[{ b: 1, a: 'x' }, {}, { wallet: undefined }].map((params) =>
      subscriptionKey({ channel: 'candles', params } as never),
    ),
    await laterLine(async () => [
      after(1, (n) => n + 1),
      await after(Promise.resolve(1), (n) => n + 1),
    ]),
  ]);
  const setting = { median: 80, p99: 900 };
  section('delays', [
    ...Array.from({ length: 40 }, (_none, at) => String(createDelay(setting, 'seed')(at))),
    ...[7.4, 0].map((ms) => String(createDelay(ms, 'seed')('x'))),
    ...[0, 'x', 17].map((seed) => {
      const random = createRandom(seed);
      return lineOf([random.next(), random.next(), random.next()]);
    }),
  ]);
  await expectRecorded('helpers', new Map<string, Outcome>([['texts', texts]]));
}, 120_000);

test('virtual time passes as before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < 6; seed++) {
    const random = createRandom(`time ${seed}`);
    const lines: string[] = [];
    const queue = new TaskQueue(1_000);
    const cancels: Array<() => void> = [];
    const add = (about: string): void => {
      const time = queue.now() + Math.floor(random.next() * 60) - 5;
      cancels.push(
        queue.at(time, () => {
          lines.push(`${about} at ${queue.now()}`);
          if (random.next() < 0.3) add(`${about}+`);
        }),
      );
    };
    for (let step = 0; step < 120; step++) {
      if (random.next() < 0.6) add(`${step}`);
      if (random.next() < 0.2) cancels[Math.floor(random.next() * cancels.length)]?.();
      if (random.next() < 0.3) queue.advanceTo(queue.now() + Math.floor(random.next() * 40) - 3);
      lines.push(lineOf([queue.now(), queue.nextTime(), queue.scheduled]));
    }
    const map = new OpenMap<number>();
    const held: string[] = [];
    for (let step = 0; step < 200; step++) {
      const key = `k${Math.floor(random.next() * pick(random, [4, 12]))}`;
      const act = random.next();
      if (act < 0.5) map.set(key, step);
      else if (act < 0.85) held.push(lineOf(map.delete(key)));
      else if (act < 0.87) map.clear();
      held.push(lineOf([map.size, map.get(key), map.has(key), map.values()]));
    }
    outcomes.set(
      `queue ${seed}`,
      new Map([
        ['tasks', lines],
        ['map', held],
      ]),
    );
  }

  const env = createVirtualEnv({ startTime: 500, seed: 3 });
  const lines: string[] = [];
  const note = (about: string) => (value?: unknown) =>
    void lines.push(`${about} at ${env.queue.now()}: ${lineOf(value)}`);
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 250) {
      env.queue.advanceTo(env.queue.now() + 250);
      for (let tick = 0; tick < 10; tick++) await Promise.resolve();
    }
  };
  const { timers } = env;
  void pause(timers, 700).then(note('pause'));
  void pauseUnless(timers, 2_600, () => false).then(note('pause of 2.6 s'));
  void pauseUnless(timers, 9_000, () => env.queue.now() > 3_000).then(note('pause that is over'));
  void atMost(timers, new Promise(() => {}), 1_200).then(note('at most'));
  void atMost(
    timers,
    pause(timers, 300).then(() => 'done'),
    1_200,
  ).then(note('at most, done'));
  void atMost(timers, Promise.reject(new Error('no')), 1_200).catch(note('at most, failed'));
  void atMost(timers, 'at once', 1_200).then(note('at most, at once'));
  void within(timers, new Promise(() => {}), 1_500).then(note('within'));
  void within(timers, pause(timers, 600), 1_500).then(note('within, done'));
  void within(timers, Promise.reject(new Error('no')), 1_500).then(note('within, failed'));
  const clock = createLiveMarketClock(env, () => 100);
  note('clock')(clock.now());
  clock.at(2_000, note('live'));
  clock.at(0, note('live, past'));
  clock.at(2_100, note('live, cancelled'))();
  clock.at(600 + 3 * 86_400_000, note('live, far'));
  const scheduler = toSchedulerLike(env.queue);
  interval(400, scheduler).pipe(take(4)).subscribe(note('interval'));
  const ended = timer(300, 300, scheduler).subscribe(note('timer'));
  timers.after(1_000, () => ended.unsubscribe());
  note('scheduler')(scheduler.now());
  const asked: number[] = [];
  inParts((delayMs, run) => {
    asked.push(delayMs);
    if (asked.length < 5) run();
    return () => void asked.push(-1);
  })(4_500_000_000, note('in parts'))();
  inParts((delayMs) => {
    asked.push(delayMs);
    return () => {};
  })(-7, () => {});
  note('asked')(asked);
  note('unused')(asyncScheduler.now() > 0);
  await pass(12_000);
  outcomes.set('waits', new Map([['all', lines]]));
  await expectRecorded('virtualTime', outcomes);
}, 120_000);

test('files and blocks are described as before', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-recorded-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines: string[] = [];
  const note = (about: string, line: string): void =>
    void lines.push(
      `${about}: ${line.replaceAll(folder, 'FOLDER').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')}`,
    );
  const at = (name: string): string => join(folder, name);
  for (const name of ['bot.sqlite', 'bot.sqlite-wal', 'bot.order.json', 'other.yaml', 'plain'])
    writeFileSync(at(name), 'ü'.repeat(name.length));
  symlinkSync(at('nowhere'), at('broken'));
  mkdirSync(at('inner'));
  for (const name of [
    'bot.sqlit',
    'bot',
    'other.yml',
    'bot.order.jso',
    'xyz',
    'broken',
    'none/bot',
  ])
    note(
      `meant ${name}`,
      answerLine(() => meantFile(at(name))),
    );
  for (const name of ['plain', 'inner', 'none', 'broken', 'bot.sqlite']) {
    for (const most of [0, 9, 10, 20, 1_000]) {
      note(
        `read ${name} ${most}`,
        await laterLine(async () =>
          Buffer.from(await readRegularFile(at(name), most)).toString('hex'),
        ),
      );
      note(`text ${name} ${most}`, await laterLine(() => readRegularText(at(name), most)));
    }
  }
  for (const name of ['inner', 'plain', 'a/b/c', 'plain/x', 'a/b'])
    note(
      `folders ${name}`,
      answerLine(() => makeFolders(at(name))),
    );
  const watch = {
    label: 'bot one',
    tickMs: 500,
    reportAfter: 4,
    endAfter: 120,
    exitCode: 7,
    plugins: [
      { instance: 'ema', marks: ['/ema.ts'] },
      { instance: 'other', marks: ['/ema.ts', '/other.ts'] },
    ],
  } as unknown as LoopWatch;
  const frames = [
    { url: 'node:internal/x', line: 1, column: 2 },
    { url: 'file:///bots/other.ts?v=1', line: 3, column: 4 },
    { url: 'file:///bots/ema.ts', line: 5, column: 6 },
  ];
  for (const one of [
    watch,
    { ...watch, endAfter: null },
    { ...watch, plugins: [] },
  ] as LoopWatch[]) {
    for (const seen of [undefined, [], frames.slice(0, 1), frames.slice(0, 2), frames])
      note('block', toText(one, describeBlock(one, seen as never), 0));
    const ends = [describeEnd(one, true), describeEnd(one, false), RETURNED];
    note('end', ends.map((notice) => toText(one, notice, 0)).join(''));
  }
  await expectRecorded('files', new Map<string, Outcome>([['files', new Map([['all', lines]])]]));
}, 120_000);

test('journals’ names and rules are as before', async () => {
  const lines = new Map<string, string[]>();
  const states = [undefined, ...INTENT_STATES];
  lines.set(
    'states',
    states.map((from) =>
      lineOf([
        from,
        from !== undefined && [isFinal(from), isUnsent(from)],
        INTENT_STATES.filter((to) => isLegalTransition(from, to)),
        from !== undefined &&
          ['launch', 'create_monitor'].map((kind) => staysWhole({ kind, state: from })),
      ]),
    ),
  );
  const accounts = [
    'api/main',
    'api/main+sub',
    'api/sub+main',
    'api/sub',
    'api/main+x',
    'api/',
    '/main',
    'other/main',
    'mine',
    '',
    'api/x+y+main',
  ];
  const compared: string[] = [];
  for (const owner of accounts) {
    for (const account of accounts) {
      const store = createMemoryStore();
      const place = owner === 'mine' ? 'postgres://db/bots' : 'bot.sqlite';
      if (owner !== '') void store.setMeta('account', owner);
      compared.push(
        lineOf([owner, account, compareAccounts(owner, account), goesOnIn(owner, account)]),
        foreignJournal({ place, owner, account }).message,
      );
      for (const more of [{ grows: true }, { grows: false }, { grows: false, isNamed: true }]) {
        const required = { account, place, ...more };
        compared.push(await laterLine(() => requireAccount(store, required)));
        compared.push(lineOf(store.meta('account')));
      }
    }
  }
  lines.set('accounts', compared);
  const known = [
    { key: 'a', account: 'b' },
    { key: 'b', account: 'c' },
  ];
  lines.set('names', [
    ...['a', 'b', 'c', 'd', undefined].map((name) => lineOf(journalNamed(known, name))),
    ...['', '1', '12x', '-1', '007', '1.5', ' 1'].map((text) => lineOf(isCursor(text))),
    ...['x', 'bar:BTC:1m:0 ema ü🪝', 'x'.repeat(300)].flatMap((decision) => [
      ...[0, 1, 2].map((generation) => idempotencyKeyOf(decision, generation)),
      keyOfRemainder(decision, '{}'),
      String(checksumOf(decision, 1, 1.5, -0)),
    ]),
    ...[
      { data: '{"record":{"monitor_id":"m1"}}' },
      { data: '{' },
      { data: 'null' },
      {},
      { data: '{"record":null}' },
    ].map((row) => lineOf(monitorIdsOf([row, { data: '{"record":{"monitor_id":"m2"}}' }]))),
    ...(['in_use', 'gone', 'damaged', 'lease_lost'] as const).map(journalFailureCode),
  ]);
  const codes = [5, 8, 10, 11, 13, 14, 19, 26, 266, 1_034, 1_290, 261].map((errcode) => ({
    errcode,
  }));
  const errnos = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'EIO', 'EMFILE'].map((code) => ({
    code,
  }));
  lines.set(
    'faults',
    [...codes, ...errnos, {}].flatMap((fields) => {
      const error = Object.assign(new Error('the cause'), fields);
      const faults = [toJournalFault(error, 'bot.sqlite'), toCopyFault(error, 'bot.sqlite')];
      return [
        lineOf(fields),
        ...faults.map((fault) =>
          answerLine(() => {
            throw fault;
          }),
        ),
      ];
    }),
  );
  await expectRecorded('journalRules', new Map<string, Outcome>([['rules', lines]]));
}, 120_000);
