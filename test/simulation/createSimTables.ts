import {
  createMemoryStore,
  staysWhole,
  type JournalStore,
  type Latch,
} from '../../src/journal/index.ts';
import type { IntentRow, IntentState, JournalEntry } from '../../src/journal/index.ts';
import type { PgResult, Statement } from '../../src/journal/postgres/PgClient.ts';
import type { InvariantChecker } from './createInvariantChecker.ts';
import type { SimProcess } from './SimProcess.ts';
import type { Simulation } from './Simulation.ts';

/** The tables of one account, and what each statement of the journal in PostgreSQL does with them. */
export interface SimTables {
  /** @throws an object with PostgreSQL's code */
  execute(statement: Statement, by: SimProcess): PgResult;
  /** All that was ever committed: nothing is retired here. */
  readonly durable: JournalStore;
}

interface Row extends IntentRow {
  id: number;
  state: IntentState;
  final: boolean;
  retired: boolean;
  updated: number;
}
type Step = JournalEntry & { seq: number };
type Run = (values: readonly unknown[], by: SimProcess) => readonly object[];

const UNIQUE_VIOLATION = Object.assign(new Error('duplicate key'), { code: '23505' });
const FOUND = [{ found: true }];
const ROW = [{}];

export function createSimTables(sim: Simulation, checker: InvariantChecker): SimTables {
  const durable = createMemoryStore();
  const rows = new Map<string, Row>();
  const steps: Step[] = [];
  const latches: Array<Latch & { name: string; seq: number }> = [];
  const states = new Map<string, string>();
  const facts = new Map<string, string>();
  const lease = { token: 0n, pid: 0, since: new Date(sim.queue.now()), seen: sim.queue.now() };

  const all = (): Row[] => [...rows.values()];
  const whole = (): Row[] => all().filter(({ final, retired }) => final && !retired);
  const stepsOf = (isMeant: (key: string) => boolean): Step[] =>
    steps.filter(({ key }) => isMeant(key));
  const pairs = (map: ReadonlyMap<string, string>, name: string, value: string) =>
    [...map].map(([key, text]) => ({ [name]: key, [value]: text }));
  const rowIf = (isThere: boolean): readonly object[] => (isThere ? ROW : []);

  /** Several appends of one process; nothing at all if another one has taken the account since. */
  const append: Run = ([, token, ...given], by) => {
    if (token !== lease.token) return [{ held: 0 }];
    const table = given as unknown[][];
    const opened = rowsOf(table.slice(0, 12)).map(toRow);
    const stepped = rowsOf(table.slice(12, 18)).map(toStep);
    const isTaken = (one: Row): boolean =>
      rows.has(one.key) ||
      all().some((o) => o.decisionKey === one.decisionKey && o.generation === one.generation);
    if (opened.some(isTaken) || stepped.some((one) => steps.some(({ seq }) => seq === one.seq)))
      throw UNIQUE_VIOLATION;
    for (const row of opened) rows.set(row.key, row);
    steps.push(...stepped);
    for (const [key, state, final, updated] of rowsOf(table.slice(18, 22)))
      Object.assign(rows.get(key as string)!, { state, final, updated });
    for (const [key, own] of Map.groupBy(stepped, (one) => one.key)) {
      const intent = opened.find((row) => row.key === key);
      const one = { ...(intent && { intent: toIntent(intent) }), entries: own.map(toEntry) };
      try {
        void durable.append(one);
      } catch (error) {
        sim.violate('journal_refused', String(error));
      }
      checker.durable(one, by);
    }
    return [{ held: 1 }];
  };

  const compact: Run = ([, olderThan, limit]) => {
    const old = whole()
      .filter((row) => row.updated < (olderThan as number) && !staysWhole(row))
      .slice(0, limit as number);
    for (const row of old) Object.assign(row, { retired: true, intent: '' });
    const gone = new Set(old.map(({ key }) => key));
    steps.splice(0, steps.length, ...stepsOf((key) => !gone.has(key)));
    return old.map(({ key }) => ({ key }));
  };

  const setLatch: Run = ([, ...given]) => {
    const [seq, name, value, reason, time] = given as [number, string, string, string, number];
    if (latches.some((one) => one.seq === seq)) return [];
    latches.push({ seq, name, value, reason, time });
    void durable.setLatch(name, { value, reason, time });
    return [];
  };

  /** Takes the first whose text begins so, white space aside. */
  const STATEMENTS: ReadonlyArray<[begin: string, run: Run]> = [
    ['SET ', () => []],
    ["SELECT to_regclass('trimtab.latches')", () => FOUND],
    ['SELECT coalesce((SELECT indisvalid', () => FOUND],
    ['SELECT version FROM', () => [{ version: 1 }]],
    ['SELECT host, pid, since', () => [{ ...lease, host: 'sim', silent: 0 }]],
    [
      'UPDATE trimtab.accounts SET seen',
      ([, token]) => {
        if (token === lease.token) lease.seen = sim.queue.now();
        return rowIf(token === lease.token);
      },
    ],
    [
      'INSERT INTO trimtab.accounts AS held',
      (_values, by) => {
        lease.token++;
        lease.pid = by.index;
        lease.since = new Date(sim.queue.now());
        sim.note('lease', by.index);
        checker.leased(by.index);
        return [{ token: String(lease.token) }];
      },
    ],
    ['WITH held AS', append],
    ['WITH old AS', compact],
    [
      'SELECT FROM trimtab.entries WHERE account = $1 AND seq = $2',
      ([, seq, key]) =>
        rowIf(steps.some((one) => one.seq === seq) || rows.get(key as string)?.retired === true),
    ],
    [
      'SELECT key, state FROM trimtab.intents WHERE account = $1 AND key = ANY',
      ([, keys]) => all().filter(({ key }) => (keys as string[]).includes(key)),
    ],
    [
      'INSERT INTO trimtab.strategy_states',
      ([, instance, state]) => {
        states.set(instance as string, state as string);
        void durable.writeState(instance as string, state as string);
        return [];
      },
    ],
    [
      'SELECT FROM trimtab.strategy_states',
      ([, instance, state]) => rowIf(states.get(instance as string) === state),
    ],
    [
      'INSERT INTO trimtab.facts',
      ([, key, value]) => {
        facts.set(key as string, value as string);
        void durable.setMeta(key as string, value as string);
        return [];
      },
    ],
    ['SELECT FROM trimtab.facts', ([, key, value]) => rowIf(facts.get(key as string) === value)],
    ['INSERT INTO trimtab.latches', setLatch],
    ['SELECT FROM trimtab.latches', ([, seq]) => rowIf(latches.some((one) => one.seq === seq))],
    // What a start reads.
    [
      'SELECT key, state FROM trimtab.intents WHERE account = $1 AND final',
      () =>
        all()
          .filter(({ final }) => final)
          .toReversed(),
    ],
    ['(SELECT id, key', () => all().filter(({ final, retired }) => !final || !retired)],
    ['SELECT id, key', () => whole().filter(staysWhole).toReversed()],
    [
      'SELECT DISTINCT ON (key)',
      ([, keys]) => (keys as string[]).map((name) => steps.findLast(({ key }) => key === name)!),
    ],
    [
      'SELECT key, state, wall_time AS "wallTime", market_time AS "marketTime", data FROM trimtab.entries WHERE account = $1 AND key IN',
      () => stepsOf((key) => !rows.get(key)!.final),
    ],
    [
      'SELECT key, state, wall_time AS "wallTime", market_time AS "marketTime", data FROM trimtab.entries WHERE account = $1 AND key = ANY',
      ([, keys]) => stepsOf((key) => (keys as string[]).includes(key)),
    ],
    [
      'SELECT key, state, "wallTime"',
      () =>
        whole()
          .map(({ key }) => steps.findLast((step) => step.key === key)!)
          .sort((a, b) => a.seq - b.seq),
    ],
    ['SELECT instance AS key', () => pairs(states, 'key', 'value')],
    ['SELECT key, value FROM trimtab.facts', () => pairs(facts, 'key', 'value')],
    [
      'SELECT DISTINCT ON (name)',
      () => [...new Map(latches.map((one) => [one.name, { ...one }])).values()],
    ],
    ['SELECT coalesce(max(id)', () => [{ last: Math.max(0, ...all().map(({ id }) => id)) }]],
    [
      'SELECT coalesce(max(seq), 0) AS last FROM trimtab.entries',
      () => [{ last: Math.max(0, ...steps.map(({ seq }) => seq)) }],
    ],
    [
      'SELECT coalesce(max(seq), 0) AS last FROM trimtab.latches',
      () => [{ last: Math.max(0, ...latches.map(({ seq }) => seq)) }],
    ],
  ];
  const known = new Map<string, Run>();

  return {
    durable,
    execute({ text, values = [] }, by) {
      let run = known.get(text);
      if (run === undefined) {
        const plain = text.replace(/\s+/g, ' ').trim();
        run = STATEMENTS.find(([begin]) => plain.startsWith(begin))?.[1];
        if (run === undefined) throw new Error(`The simulated database does not know: ${plain}`);
        known.set(text, run);
      }
      const found = run(values, by).map((one) => ({ ...one }));
      return { rows: found, rowCount: found.length };
    },
  };
}

/** Columns, as a statement has them → rows. */
const rowsOf = (columns: ReadonlyArray<readonly unknown[]>): unknown[][] =>
  (columns[0] ?? []).map((_value, at) => columns.map((column) => column[at]));

function toRow(values: readonly unknown[]): Row {
  const [id, key, decisionKey, generation, instance, wallet, kind, intent, ...rest] = values as [
    number,
    string,
    string,
    number,
    string,
    string,
    string,
    string,
    ...unknown[],
  ];
  const [state, final, , updated] = rest as [IntentState, boolean, number, number];
  const own = { key, decisionKey, generation, instance, wallet, kind, intent };
  return { ...own, id, state, final, retired: false, updated };
}

function toStep(values: readonly unknown[]): Step {
  const [seq, key, state, wallTime, marketTime, data] = values as [
    number,
    string,
    IntentState,
    number,
    number,
    string,
  ];
  return { seq, key, state, wallTime, marketTime, data };
}

const toIntent = ({
  id: _id,
  state: _s,
  final: _f,
  retired: _r,
  updated: _u,
  ...row
}: Row): IntentRow => row;
const toEntry = ({ seq: _seq, ...entry }: Step): JournalEntry => entry;
