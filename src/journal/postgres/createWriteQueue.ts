import { JournalFault } from '../JournalFault.ts';
import { appendStatement, type NumberedAppend } from './appendStatement.ts';
import type { WriterSession } from './createWriterSession.ts';
import type { PgResult, Statement } from './PgClient.ts';
import { lost, holderOf } from './takeLease.ts';

/** Writes to the account, one after the other in the order of submission. */
export interface WriteQueue {
  append(append: NumberedAppend): Promise<void>;
  /** A statement that may run twice without harm. @param trace finds a row once it has run */
  write(statement: Statement, trace?: Statement): Promise<PgResult>;
  settled(): Promise<void>;
}

type Job = {
  resolve(result: PgResult): void;
  reject(error: unknown): void;
} & ({ append: NumberedAppend } | { statement: Statement; trace: Statement | undefined });
type AppendJob = Extract<Job, { append: NumberedAppend }>;

/** What waits while a statement is in flight goes together with the next one (group commit). */
const LARGEST_GROUP = 200;

/** A step, or its intent where both have been retired. */
const FIND_STEP = `SELECT FROM trimtab.entries WHERE account = $1 AND seq = $2
  UNION ALL SELECT FROM trimtab.intents WHERE account = $1 AND key = $3 AND retired`;

export function createWriteQueue(session: WriterSession, account: string): WriteQueue {
  const jobs: Job[] = [];
  const waiters: Array<() => void> = [];
  let isRunning = false;

  function push(job: Job): void {
    jobs.push(job);
    if (!isRunning) void drain();
  }

  async function drain(): Promise<void> {
    isRunning = true;
    while (jobs.length > 0) await runNext();
    isRunning = false;
    for (const resolve of waiters.splice(0)) resolve();
  }

  async function runNext(): Promise<void> {
    const [first] = jobs;
    if (first === undefined) return;
    if ('statement' in first) {
      jobs.shift();
      const { statement, trace } = first;
      const isDone = trace && (() => finds(trace));
      return settle([first], await attempt(session.run(statement, isDone)));
    }
    const end = jobs.findIndex((job) => 'statement' in job);
    const count = Math.min(end === -1 ? jobs.length : end, LARGEST_GROUP);
    const group = jobs.splice(0, count) as AppendJob[];
    const outcome = await attempt(appendAll(group));
    if (!('error' in outcome) || group.length === 1) return settle(group, outcome);
    if (outcome.error instanceof JournalFault) return settle(group, outcome);
    // One of them violates a constraint of the database; the others must not be affected.
    for (const job of group) settle([job], await attempt(appendAll([job])));
  }

  async function appendAll(group: readonly AppendJob[]): Promise<PgResult> {
    const appends = group.map(({ append }) => append);
    const last = appends
      .flatMap(({ entries }) => entries)
      .reduce((newest, entry) => (entry.seq > newest.seq ? entry : newest));
    const isDone = () => finds({ text: FIND_STEP, values: [account, last.seq, last.key] });
    const result = await session.run(appendStatement(account, session.token, appends), isDone);
    if (result.rows[0]?.['held'] !== 0) return result;
    throw lost(account, await holderOf({ query: session.ask }, account));
  }

  const finds = async (trace: Statement): Promise<boolean> =>
    (await session.ask(trace)).rows.length > 0;

  return {
    append: (append) =>
      new Promise((resolve, reject) => push({ append, resolve: () => resolve(), reject })),
    write: (statement, trace) =>
      new Promise((resolve, reject) => push({ statement, trace, resolve, reject })),
    settled: () =>
      isRunning ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve(),
  };
}

type Outcome = { result: PgResult } | { error: unknown };

function attempt(work: Promise<PgResult>): Promise<Outcome> {
  return work.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
}

function settle(group: readonly Job[], outcome: Outcome): void {
  for (const job of group) {
    if ('error' in outcome) job.reject(outcome.error);
    else job.resolve(outcome.result);
  }
}
