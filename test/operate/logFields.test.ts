import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { createPinoLog, PINO_FIELDS } from '../../src/operate/index.ts';
import { followBot } from '../../src/operate/run/followBot.ts';
import { INTENT_STATES } from '../../src/journal/index.ts';
import type { BotEvent } from '../../src/runtime/BotEvent.ts';
import { codeOf, sourceFiles } from '../sourceFiles.ts';

function stage(level: 'debug' | 'warn' = 'debug') {
  const lines: string[] = [];
  const log = createPinoLog({
    clock: { wallNow: () => 7 },
    isTerminal: false,
    level,
    write: (text) => void lines.push(text),
  });
  const events$ = new Subject<BotEvent>();
  followBot({ events$ }, log, { config: { file: '/bot.yaml' }, address: 'service.example' });
  /** The log line of an event: unique names, and pino's own fields intact. */
  const lineOf = (event: unknown): Record<string, unknown> => {
    lines.length = 0;
    events$.next(event as BotEvent);
    expect(lines).toHaveLength(1);
    const names = [...lines[0]!.matchAll(/"(\w+)":/g)].map(([, name]) => name);
    expect(names).toEqual([...new Set(names)]);
    return JSON.parse(lines[0]!) as Record<string, unknown>;
  };
  return { log, lines, lineOf };
}

const emission = { instance: 'trend', wallet: 'main', cause: 'bar', intent: { kind: 'launch' } };
const at = { channel: 'candles', params: { symbol: 'BTC', interval: '5m' } };
const STREAM_FAULTS = [
  { kind: 'gap', ...at, expected: 4, got: 6 },
  { kind: 'no_snapshot', ...at },
  { kind: 'candles_missing', ...at, from: 1, until: 2 },
  { kind: 'read_failed', ...at, reason: 'no answer' },
  { kind: 'refused', subscription: at, error: { code: 'not_found', message: 'no such symbol' } },
];

test('a kill is a line of pino’s level error, and a rearm one of warn', () => {
  const { lineOf } = stage();
  const latch = { level: 'L2', reason: 'by hand', time: 9 };
  expect(lineOf({ kind: 'kill', latch })).toMatchObject({ level: 50, time: 7, kill_level: 'L2' });
  expect(lineOf({ kind: 'kill', latch: { ...latch, level: 'L0' } })).toMatchObject({ level: 40 });
});

test.each([...INTENT_STATES, 'duplicate'])('a line on an intent that is %s names it', (state) => {
  const { lineOf } = stage();
  const line = lineOf({ kind: 'intent', event: { state, emission, key: 'k-1', attempt: 1 } });
  expect(line).toMatchObject({ key: 'k-1', wallet: 'main', strategy: 'trend' });
});

test('a line on an intent has the service’s words and code where nothing else gives a reason', () => {
  const { lineOf } = stage();
  const fault = { code: 'insufficient_margin', message: 'It needs 12 more.' };
  const line = (rest: object): unknown =>
    lineOf({
      kind: 'intent',
      event: { state: 'rejected', emission, key: 'k-1', attempt: 1, fault, ...rest },
    });
  expect(line({})).toMatchObject({ reason: fault.message, code: fault.code });
  expect(line({ reason: 'own words' })).toMatchObject({ reason: 'own words', code: fault.code });
});

test('an exit that can’t be sent is a line of warn, once until it is answered', () => {
  const { lineOf } = stage();
  const step = (state: string, rest = {}): unknown =>
    lineOf({ kind: 'intent', event: { state, emission, key: 'k-1', attempt: 1, ...rest } })[
      'level'
    ];
  const unsent = { reason: 'not_connected (ENOTFOUND)', waitsFor: 'connection (exit)' };
  expect(step('deferred', { ...unsent, waitsFor: 'connection (entry)' })).toBe(20);
  expect(step('deferred', unsent)).toBe(40);
  expect(step('sending')).toBe(20);
  expect(step('deferred', unsent)).toBe(20);
  step('accepted');
  expect(step('deferred', unsent)).toBe(40);
});

test('a key that is not replaced is an error, and one that no longer is to be is none', () => {
  const { lineOf } = stage();
  const refused = (reason: string | null): unknown =>
    lineOf({ kind: 'key_rotation_refused', reason });
  expect(refused('no wallet main')).toMatchObject({
    level: 50,
    msg: 'The key is not replaced: no wallet main',
  });
  expect(refused(null)).toMatchObject({ level: 30 });
});

test('what was refused, or may have been executed, is logged where only warnings are', () => {
  const { lineOf } = stage('warn');
  for (const state of ['unresolved', 'rejected', 'unknown'])
    expect(
      lineOf({ kind: 'intent', event: { state, emission, key: 'k-1', attempt: 1 } }),
    ).toMatchObject({ level: 40 });
});

test('of what a start found, each part that a person has to know has a line of its own', () => {
  const { lines, log } = stage('warn');
  const events$ = new Subject<BotEvent>();
  followBot({ events$ }, log);
  const takeOver = {
    lines: ['order o1'],
    holds: ['BTC of main has no owner', 'ETH of main has no owner'],
    unheeded: ['--adopt SOL=trend: there is none'],
    former: ['HYPE/USDC was bought by another', 'PURR/USDC was, too'],
  };
  events$.next({ kind: 'taken_over', takeOver } as unknown as BotEvent);
  const said = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
  expect(said.map(({ level, msg }) => [level, msg])).toEqual([
    [40, takeOver.unheeded[0]],
    [40, takeOver.former[0]],
    [40, takeOver.former[1]],
    [50, `No exposure is added: ${takeOver.holds[0]}`],
    [50, `No exposure is added: ${takeOver.holds[1]}`],
  ]);
});

test('each strategy has a line for the first of its faults, and each kind of fault', () => {
  const { lines, log } = stage('warn');
  const events$ = new Subject<BotEvent>();
  followBot({ events$ }, log);
  const fail = (instance: string, path: string, isExit: boolean): void => {
    const reason = `${path}: it is no number`;
    const fields = [{ path, code: 'invalid_type' }];
    const fault = { instance, kind: 'malformed_intent', reason, isExit, fields };
    events$.next({ kind: 'strategy_fault', fault } as unknown as BotEvent);
  };
  const kinds = [
    ['one', 'size', false],
    ['two', 'size', false],
    ['one', 'price', false],
    ['one', 'size', true],
  ] as const;
  for (let turn = 0; turn < 3; turn++)
    for (const [instance, path, isExit] of kinds) fail(instance, path, isExit);
  const said = lines.map((line) => JSON.parse(line) as { strategy: string; msg: string });
  expect(said.map(({ strategy }) => strategy)).toEqual(['one', 'two', 'one', 'one']);
  expect(said.map(({ msg }) => msg.includes('may be an exit'))).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

test.each(STREAM_FAULTS)('a line on a stream ($kind) names it and its place', (fault) => {
  const { lineOf } = stage();
  const address = 'service.example';
  const expected = { channel: 'candles', symbol: 'BTC', interval: '5m', address };
  expect(lineOf({ kind: 'stream_fault', fault, askers: [] })).toMatchObject(expected);
});

test('no field overrides one of pino’s', () => {
  const { log, lines } = stage();
  const fields = Object.fromEntries([...PINO_FIELDS].map((name) => [name, 'mine']));
  log.with(fields).error('Denied', { ...fields, own: 1 });
  log.with({ level: 'L2' }).error('Denied');
  for (const line of lines) {
    for (const [name, value] of Object.entries({ level: '50', time: '7', msg: '"Denied"' })) {
      expect(
        line
          .split(`"${name}":`)
          .slice(1)
          .map((rest) => rest.split(/[,}]/)[0]),
      ).toEqual([value]);
    }
  }
  expect(JSON.parse(lines[0]!)).toMatchObject({ level_: 'mine', pid_: 'mine', own: 1 });
});

/** The text of a call, from its name to the bracket that ends it. */
function callsOf(code: string): string[] {
  return [...code.matchAll(/\blog(?:ger)?(?:\.(?:debug|info|warn|error|with)|\[[^\]]*\]+)\(/g)].map(
    ({ index, 0: start }) => {
      let depth = 1;
      let end = index + start.length;
      for (; depth > 0 && end < code.length; end++) {
        if (code[end] === '(') depth++;
        if (code[end] === ')') depth--;
      }
      // A name in a text that is filled in is no field's.
      return code.slice(index, end).replaceAll(/\$\{[^}]*\}/g, '');
    },
  );
}

test('no log call uses the name of a pino field', () => {
  const files = ['src', 'backtest', 'strategies'].flatMap(sourceFiles);
  const calls = files.flatMap((file) => callsOf(codeOf(file)).map((call) => ({ file, call })));
  // Without them the test would be vacuous.
  expect(calls.length).toBeGreaterThan(40);
  const names = new RegExp(`[{,]\\s*(${[...PINO_FIELDS].join('|')})\\s*[:,}]`);
  expect(calls.filter(({ call }) => names.test(call))).toEqual([]);
});

const lost = { wallet: 'main', symbol: 'BTC', trigger: 9 };
const NONE_LEFT = { sent: 0, resumed: 0, dropped: 0 };
test.each([
  ['a start that found nothing', 'info', { kind: 'recovered', report: NONE_LEFT }],
  ['one that looks up', 'warn', { kind: 'recovered', report: { ...NONE_LEFT, sent: 1 } }],
  ['one that goes on', 'warn', { kind: 'recovered', report: { ...NONE_LEFT, resumed: 1 } }],
  ['one that gives up', 'warn', { kind: 'recovered', report: { ...NONE_LEFT, dropped: 1 } }],
  [
    'a stop that is offered again',
    'warn',
    { kind: 'stop_lost', lost: { ...lost, isOffered: true } },
  ],
  ['one that is lost', 'error', { kind: 'stop_lost', lost: { ...lost, isOffered: false } }],
  ['a key that is refused', 'error', { kind: 'key_refused', code: 'unknown_key' }],
  ['one that is accepted again', 'warn', { kind: 'key_accepted' }],
  ['one that is not replaced', 'error', { kind: 'key_rotation_refused', reason: 'no scope' }],
  ['one that need not be', 'info', { kind: 'key_rotation_refused', reason: null }],
  ['open entries', 'info', { kind: 'gate', reasons: [] }],
  ['a throttled strategy', 'error', { kind: 'throttled', instance: 'trend', reason: 'too often' }],
  ['a paused one', 'warn', { kind: 'strategy_paused', instance: 'trend', reason: 'by hand' }],
  [
    'a holding that is left',
    'warn',
    { kind: 'holding_left', wallet: 'main', symbol: 'X', size: 1 },
  ],
])('the level of %s is %s', (_name, level, event) => {
  const { lineOf } = stage();
  expect(lineOf(event)['level']).toBe({ info: 30, warn: 40, error: 50 }[level]);
});
