import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JournalFault } from '../../src/journal/index.ts';
import {
  appendStatement,
  type NumberedAppend,
} from '../../src/journal/postgres/appendStatement.ts';
import { createWriteQueue } from '../../src/journal/postgres/createWriteQueue.ts';
import type { Trace, WriterSession } from '../../src/journal/postgres/createWriterSession.ts';
import type { PgResult, Statement } from '../../src/journal/postgres/PgClient.ts';
import { holdLaw, Tried } from '../holdLaw.ts';

/** The order of writes without a database: each statement ends when the test says so. */

const TOKEN = 7n;
const ACCOUNT = 'a service/main';
const HELD: PgResult = { rows: [{ held: 1 }], rowCount: 1 };

const append = (...seqs: number[]): NumberedAppend => ({
  entries: seqs.map((seq) => ({
    seq,
    key: `k${seq}`,
    state: 'unknown',
    wallTime: seq,
    marketTime: seq,
    data: '',
  })),
});
const other = (name: string): Statement => ({ text: `UPDATE ${name}` });
const expected = (...appends: NumberedAppend[]): Statement =>
  appendStatement(ACCOUNT, TOKEN, appends);

interface Run {
  statement: Statement;
  isDone: Trace | undefined;
  end(result: PgResult | Error): Promise<void>;
}

function setUp() {
  const runs: Run[] = [];
  const asked: Statement[] = [];
  const answers = { rows: [] as PgResult['rows'] };
  const session: WriterSession = {
    account: ACCOUNT,
    token: TOKEN,
    run: (statement, isDone) =>
      new Promise((resolve, reject) => {
        const end = async (result: PgResult | Error): Promise<void> => {
          if (result instanceof Error) reject(result);
          else resolve(result);
          await settle();
        };
        runs.push({ statement, isDone, end });
      }),
    ask: (statement) => {
      asked.push(statement);
      return Promise.resolve({ rows: answers.rows, rowCount: answers.rows.length });
    },
    close: () => Promise.resolve(),
  };
  const ends: Array<readonly [name: string, how: unknown]> = [];
  const note = (name: string, work: Promise<unknown>): void =>
    void work.then(
      () => ends.push([name, 'written']),
      (error: unknown) => ends.push([name, error]),
    );
  return { queue: createWriteQueue(session, ACCOUNT), runs, asked, answers, ends, note };
}

/** All that follows from an answer has happened. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test('everything is written once, in its order: appends together, nothing past a statement', async () => {
  const tried = new Tried();
  const job = fc.record({
    what: fc.constantFrom('append', 'append', 'append', 'statement'),
    /** As many alike, and how many statements end before the next is submitted. */
    count: fc.constantFrom(1, 1, 2, 3, 250),
    endsAfter: fc.constantFrom(0, 0, 1),
  });
  await holdLaw(60, fc.array(job, { maxLength: 8 }), async (jobs) => {
    const { queue, runs, ends, note } = setUp();
    let seq = 0;
    let ended = 0;
    const waiting: Array<NumberedAppend | Statement> = [];
    const names: string[] = [];
    const due: Statement[] = [];
    /** What goes next, by the description. */
    function start(): void {
      if (due.length > ended || waiting.length === 0) return;
      const first = waiting.shift()!;
      if ('text' in first) {
        due.push(first);
        return;
      }
      const group = [first];
      while (waiting[0] !== undefined && !('text' in waiting[0]) && group.length < 200) {
        group.push(waiting.shift() as NumberedAppend);
      }
      tried.take(group.length === 200 ? 'full' : group.length > 1 ? 'group' : 'alone');
      due.push(expected(...group));
    }
    async function endOne(): Promise<void> {
      if (due.length === ended) return;
      await runs[ended]!.end(HELD);
      ended++;
      start();
    }
    for (const { what, count, endsAfter } of jobs) {
      for (let each = 0; each < count; each++) {
        const name = `${what} ${++seq}`;
        names.push(name);
        if (what === 'append') {
          waiting.push(append(seq));
          note(name, queue.append(append(seq)));
        } else {
          waiting.push(other(name));
          note(name, queue.write(other(name)));
        }
        start();
      }
      expect(runs.map(({ statement }) => statement)).toEqual(due);
      if (endsAfter === 1) await endOne();
    }
    let isSettled = false;
    void queue.settled().then(() => (isSettled = true));
    await settle();
    while (due.length > ended) {
      expect(isSettled).toBe(false);
      await endOne();
      expect(runs.map(({ statement }) => statement)).toEqual(due);
    }
    expect(isSettled).toBe(true);
    expect(ends).toEqual(names.map((name) => [name, 'written']));
  });
  expect(tried.rare(['full', 'group', 'alone'], 3)).toEqual([]);
});

describe('what fails', () => {
  test('one append that the database refuses does not affect the others of its group', async () => {
    const { queue, runs, ends, note } = setUp();
    for (const seq of [1, 2, 3, 4]) note(`${seq}`, queue.append(append(seq)));
    await runs[0]!.end(HELD);
    const refused = Object.assign(new Error('duplicate key'), { code: '23505' });
    await runs[1]!.end(refused);
    await runs[2]!.end(HELD);
    await runs[3]!.end(refused);
    await runs[4]!.end(HELD);
    expect(runs.map(({ statement }) => statement)).toEqual([
      expected(append(1)),
      expected(append(2), append(3), append(4)),
      ...[2, 3, 4].map((seq) => expected(append(seq))),
    ]);
    expect(ends).toEqual([
      ['1', 'written'],
      ['2', 'written'],
      ['3', refused],
      ['4', 'written'],
    ]);
    // The next one is not held up.
    note('5', queue.append(append(5)));
    await runs[5]!.end(HELD);
    expect(ends.at(-1)).toEqual(['5', 'written']);
  });

  test('a journal that is lost refuses the whole group, and nothing is tried again', async () => {
    const { queue, runs, ends, note } = setUp();
    for (const seq of [1, 2, 3]) note(`${seq}`, queue.append(append(seq)));
    await runs[0]!.end(HELD);
    const fault = new JournalFault('unreachable', 'gone');
    await runs[1]!.end(fault);
    expect(runs).toHaveLength(2);
    expect(ends.slice(1)).toEqual([
      ['2', fault],
      ['3', fault],
    ]);
    await queue.settled();
  });

  test('an append without the token is a lost lease, by its holder', async () => {
    const { queue, runs, answers, ends, note } = setUp();
    const holder = { host: 'there', pid: 12, since: new Date(0), silent: 3 };
    answers.rows = [holder];
    note('1', queue.append(append(1)));
    await runs[0]!.end({ rows: [{ held: 0 }], rowCount: 1 });
    expect(ends[0]![1]).toMatchObject({ code: 'lease_lost' });
    expect(String(ends[0]![1])).toContain('there, pid 12');
  });

  test('a statement that fails is its caller’s alone', async () => {
    const { queue, runs, ends, note } = setUp();
    const refused = new Error('refused');
    note('first', queue.write(other('a')));
    note('second', queue.write(other('b')));
    note('third', queue.append(append(1)));
    await runs[0]!.end(refused);
    await runs[1]!.end(HELD);
    await runs[2]!.end(HELD);
    expect(ends).toEqual([
      ['first', refused],
      ['second', 'written'],
      ['third', 'written'],
    ]);
  });
});

describe('whether a write whose answer was lost is there', () => {
  test.each([
    [[append(2, 3), append(4)], 4],
    [[append(4), append(2, 3)], 4],
    [[append(6, 5), append(2)], 6],
  ])('is asked of the newest step of its group: %#', async (group, newest) => {
    const { queue, runs, asked, answers, note } = setUp();
    note('before', queue.append(append(1)));
    for (const each of group) note('one', queue.append(each));
    await runs[0]!.end(HELD);
    expect(await runs[1]!.isDone!()).toBe(false);
    answers.rows = [{}];
    expect(await runs[1]!.isDone!()).toBe(true);
    expect(asked.map(({ values }) => values)).toEqual([
      [ACCOUNT, newest, `k${newest}`],
      [ACCOUNT, newest, `k${newest}`],
    ]);
  });

  test('is asked of a statement’s trace, if it has one', async () => {
    const { queue, runs, asked, answers, note } = setUp();
    note('traced', queue.write(other('a'), other('trace')));
    note('plain', queue.write(other('b')));
    expect(await runs[0]!.isDone!()).toBe(false);
    answers.rows = [{}];
    expect(await runs[0]!.isDone!()).toBe(true);
    expect(asked).toEqual([other('trace'), other('trace')]);
    await runs[0]!.end(HELD);
    expect(runs[1]!.isDone).toBeUndefined();
  });

  test('the answer to a statement is handed on', async () => {
    const { queue, runs } = setUp();
    const answer = queue.write(other('a'));
    await runs[0]!.end({ rows: [{ one: 1 }], rowCount: 1 });
    expect(await answer).toEqual({ rows: [{ one: 1 }], rowCount: 1 });
  });
});
