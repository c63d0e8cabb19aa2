import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createVirtualEnv, type Log } from '../../src/env/index.ts';
import type { JournalFault } from '../../src/journal/index.ts';
import { createWriterSession } from '../../src/journal/postgres/createWriterSession.ts';
import type { PgResult, Statement } from '../../src/journal/postgres/PgClient.ts';
import { ofStart, row } from './answersOfStart.ts';

const GIVE_UP_MS = 10_000;
const WRITE: Statement = { text: 'INSERT' };

/** What the database answers on its connection of that number, from 1, to a statement; undefined: as at a start. */
type Script = (
  text: string,
  connection: number,
) => PgResult | Error | Promise<PgResult> | undefined;

const refusal = (code: string | undefined, message = 'refused'): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

/** A writer's session over a scripted database, in virtual time. */
async function openOver(script: Script, isUp: () => boolean = () => true) {
  const { clock, timers, queue } = createVirtualEnv({ startTime: 1_000_000 });
  const asked: Array<{ text: string; connection: number; time: number }> = [];
  const ended: number[] = [];
  const logged: string[] = [];
  const losses: JournalFault[] = [];
  const note = (text: string): void => void logged.push(text);
  const log = { warn: note, info: note } as unknown as Log;
  let connections = 0;
  const session = await createWriterSession({
    async connect() {
      if (!isUp()) throw refusal('ECONNREFUSED');
      const connection = ++connections;
      return {
        async query({ text }: Statement) {
          asked.push({ text, connection, time: queue.now() });
          const answer = script(text, connection);
          if (answer instanceof Error) throw answer;
          return answer ?? (text.includes('SET seen') ? row({}) : ofStart(text));
        },
        connect: () => Promise.resolve(),
        end: () => Promise.resolve(void ended.push(connection)),
        on: () => {},
      };
    },
    url: 'postgres://user:password@db/bots',
    account: 'paper:main',
    env: { clock, timers, log },
    synchronous: true,
    giveUpAfterMs: GIVE_UP_MS,
    onLost: (fault) => losses.push(fault),
  });
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 10) {
      await nextTurn();
      queue.advanceTo(queue.now() + Math.min(10, left));
    }
    await nextTurn();
  };
  /** How a write comes out, and when. */
  const write = (isDone?: () => Promise<boolean>) => {
    const outcome: { is: string; time: number } = { is: 'waits', time: Number.NaN };
    const end = (is: string): void => void Object.assign(outcome, { is, time: queue.now() });
    session.run(WRITE, isDone).then(
      () => end('written'),
      (error: Error & { code?: string }) => end(`${error.code}: ${error.message}`),
    );
    return outcome;
  };
  const writes = () => asked.filter(({ text }) => text === WRITE.text);
  const beats = () => asked.filter(({ text }) => text.includes('SET seen')).length;
  return {
    session,
    asked,
    ended,
    logged,
    losses,
    pass,
    write,
    writes,
    beats,
    now: () => queue.now(),
  };
}

/** The server, or what stands before it, has ended the connection, or takes no writes on it any more. */
const LOST = ['08006', '08003', '57P01', '57P02', '57P03', '25006', 'ECONNRESET', undefined];
/** The server has undone the statement, and may take it the next time. */
const LOCKED = ['55P03', '57014', '40P01', '40001'];
const SHORT = ['53100', '53200', '53300'];
const AWAY = "The journal's database is unreachable";
const BACK = "The journal's database is reachable again";
const REFUSED = ['23505', '42501', '22P02', '42P01'];

describe('a write that the database does not take', () => {
  test.each(LOST)('is written on the next connection: %s', async (code) => {
    const { write, writes, pass, ended, logged } = await openOver((text, connection) =>
      text === WRITE.text && connection === 1 ? refusal(code) : undefined,
    );
    const outcome = write(() => Promise.resolve(false));
    await pass(100);
    expect(outcome.is).toBe('written');
    expect(writes().map(({ connection }) => connection)).toEqual([1, 2]);
    expect(ended).toEqual([1]);
    expect(logged).toEqual([AWAY, BACK]);
  });

  test.each([...LOCKED, ...SHORT])('is tried again on the same one: %s', async (code) => {
    let left = 3;
    const { write, writes, pass, ended, logged } = await openOver((text) =>
      text === WRITE.text && left-- > 0 ? refusal(code) : undefined,
    );
    const outcome = write();
    await pass(400);
    expect(outcome.is).toBe('written');
    expect(writes().map(({ connection }) => connection)).toEqual([1, 1, 1, 1]);
    expect(ended).toEqual([]);
    const why = SHORT.includes(code)
      ? "The journal's database lacks room"
      : "The journal's tables are locked";
    expect(logged).toEqual([why]);
  });

  test.each(REFUSED)('is its caller’s alone: %s', async (code) => {
    let isRefusing = true;
    const { write, writes, pass, ended } = await openOver((text) =>
      text === WRITE.text && isRefusing ? refusal(code) : undefined,
    );
    const refused = write();
    await pass(50);
    expect(refused.is).toBe(`${code}: refused`);
    isRefusing = false;
    const next = write();
    await pass(50);
    expect([next.is, writes().length, ended]).toEqual(['written', 2, []]);
  });

  test.each([
    ['57P01', 'refused'],
    ['55P03', 'tables are locked'],
    ['53100', 'lacks room'],
  ])('ends the journal within its time: %s', async (code, reason) => {
    const { write, writes, pass, beats, losses, logged, now } = await openOver((text) =>
      text === WRITE.text ? refusal(code) : undefined,
    );
    const begun = now();
    const outcome = write(() => Promise.resolve(false));
    await pass(GIVE_UP_MS + 3_000);
    expect(outcome.is).toMatch(/^unreachable: /);
    expect(outcome.is).toContain(reason);
    expect(outcome.time - begun).toBeLessThanOrEqual(GIVE_UP_MS + 2_000);
    expect(outcome.time - begun).toBeGreaterThan(GIVE_UP_MS - 3_000);
    const [sent, beaten] = [writes().length, beats()];
    const later = write();
    await pass(20_000);
    // It is over for all that comes after, and says that no other process has the account.
    expect([later.is.slice(0, 12), writes().length, beats(), losses]).toEqual([
      'unreachable:',
      sent,
      beaten,
      [],
    ]);
    expect(logged).not.toContain('The heartbeat of the journal failed');
  });
});

test('an outage in which nothing is written is over two seconds after the database is back', async () => {
  let isUp = true;
  const { session, pass, losses, logged } = await openOver(
    (text, connection) =>
      text.includes('SET seen') && connection === 1 ? refusal('57P01') : undefined,
    () => isUp,
  );
  isUp = false;
  await pass(60_000);
  expect([logged, losses]).toEqual([[AWAY], []]);
  isUp = true;
  await pass(2_100);
  expect(logged).toEqual([AWAY, BACK]);
  await session.close();
});

describe('a connection that is lost during a write', () => {
  /** The database has what these say, and loses the connection at the second write. */
  async function openLosing(has: { first: boolean; second: boolean }) {
    const second = Promise.withResolvers<PgResult>();
    const opened = await openOver((text, connection) => {
      if (text !== WRITE.text || connection > 1) return undefined;
      return opened.writes().length === 2 ? second.promise : undefined;
    });
    const first = opened.write(() => Promise.resolve(has.first));
    await opened.pass(20);
    expect(first.is).toBe('written');
    const outcome = opened.write(() => Promise.resolve(has.second));
    // The heart beats while the answer is awaited.
    await opened.pass(6_000);
    second.reject(refusal('57P01'));
    await opened.pass(200);
    return { ...opened, outcome };
  }

  test('finds the write that came after the last one it knows', async () => {
    const { outcome, losses, writes } = await openLosing({ first: false, second: true });
    expect([outcome.is, losses, writes().length]).toEqual(['written', [], 2]);
  });

  test('repeats it where the database lacks it', async () => {
    const { outcome, losses, writes } = await openLosing({ first: true, second: false });
    expect([outcome.is, losses, writes().length]).toEqual(['written', [], 3]);
  });

  test('ends the journal where the database lacks what it had acknowledged', async () => {
    const { outcome, losses, writes, pass, asked } = await openLosing({
      first: false,
      second: false,
    });
    expect(outcome.is).toMatch(/^damaged: /);
    expect(losses).toMatchObject([{ code: 'damaged' }]);
    const before = asked.length;
    await pass(20_000);
    // No further attempt mends that.
    expect([asked.length, writes().length, losses.length]).toEqual([before, 2, 1]);
  });
});

test('a session that was closed beats no more', async () => {
  const { session, pass, beats, ended } = await openOver(() => undefined);
  await pass(11_000);
  expect(beats()).toBe(2);
  await session.close();
  await pass(20_000);
  expect([beats(), ended]).toEqual([2, [1]]);
});
