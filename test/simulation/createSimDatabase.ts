import type { Cancel } from '../../src/env/index.ts';
import type { JournalFault, JournalStore } from '../../src/journal/index.ts';
import {
  CONNECT_TIMEOUT_MS,
  QUERY_TIMEOUT_MS,
  type ConnectPg,
} from '../../src/journal/postgres/connectPg.ts';
import { openStoreOver } from '../../src/journal/postgres/createPostgresStore.ts';
import type { PgClient, PgResult, Statement } from '../../src/journal/postgres/PgClient.ts';
import type { InvariantChecker } from './createInvariantChecker.ts';
import { createSimTables } from './createSimTables.ts';
import type { Plant } from './Plant.ts';
import { never, type SimProcess } from './SimProcess.ts';
import type { Simulation } from './Simulation.ts';

/**
 * A PostgreSQL that holds the journal of two hosts: sessions, their lock, and what comes between a host and it. The
 * journal's own code runs above the connection.
 */
export interface SimDatabase {
  /** @param onLost receives that another process has the account */
  open(
    process: SimProcess,
    host: number,
    onLost: (fault: JournalFault) => void,
  ): Promise<JournalStore>;
  readonly durable: JournalStore;
  setFull(full: boolean): void;
  /** Nothing passes between a host and the database for this long: it is refused, or says nothing. */
  cut(host: number, how: 'reset' | 'silence', forMs: number): void;
  /** The server ends every session, and starts again this much later. */
  outage(forMs: number): void;
  /** The process's host has fallen silent: its sessions end once the server has noticed. */
  silent(process: SimProcess): void;
}

/** Until a server ends the session of a peer that says nothing, by what `connectPg` asks of both sides. */
const KEEPALIVE_MS = 20_000;
/** One way; the end of a connection comes after all that was sent on it. */
const LONGEST_WAY_MS = 8;
const LOCK_TIMEOUT_MS = 2_000;

const LOCK = 'SELECT pg_advisory_lock';
const WRITES = /^\s*(INSERT INTO trimtab\.(facts|latches|strategy_states)|WITH )/;

const fault = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });
const reset = (): Error => fault('read ECONNRESET', 'ECONNRESET');

interface Session {
  process: SimProcess;
  host: number;
  /** The server has not ended it. */
  isOpen: boolean;
  /** Ends what waits for an answer; the peer has learned of the end. */
  onReset(): void;
}
interface Waiter {
  session: Session;
  grant(): void;
}
type Answer = (outcome: { result: PgResult } | { error: Error }) => void;

export function createSimDatabase(
  sim: Simulation,
  checker: InvariantChecker,
  plant: Plant | undefined,
): SimDatabase {
  const tables = createSimTables(sim, checker);
  const random = sim.random('database');
  const sessions = new Set<Session>();
  let queue: readonly Waiter[] = [];
  const cuts = new Map<number, { how: 'reset' | 'silence'; until: number }>();
  const hostsGone = new Set<SimProcess>();
  let holder: Session | undefined;
  let downUntil = 0;
  let isFull = false;

  const wayMs = (): number => 1 + Math.floor(random.next() * (LONGEST_WAY_MS - 1));
  const cutOf = (host: number): 'reset' | 'silence' | undefined => {
    const cut = cuts.get(host);
    return cut !== undefined && sim.queue.now() < cut.until ? cut.how : undefined;
  };
  const isSilent = (host: number): boolean => cutOf(host) === 'silence';

  // ── The server ───────────────────────────────────────────────────────────────────────────────

  function drop(session: Session): void {
    if (!session.isOpen) return;
    session.isOpen = false;
    sessions.delete(session);
    if (holder === session) {
      holder = undefined;
      grantNext();
    }
    if (!isSilent(session.host)) arrives(session.process, session.onReset);
  }

  function grantNext(): void {
    const [next] = queue.filter(({ session }) => session.isOpen);
    queue = queue.filter((one) => one !== next);
    next?.grant();
  }

  function lock(session: Session, answer: Answer): void {
    const grant = (): void => {
      holder = session;
      answer({ result: { rows: [], rowCount: 1 } });
    };
    if (holder === undefined || holder === session) return grant();
    const waiter: Waiter = {
      session,
      grant() {
        cancel();
        grant();
      },
    };
    queue = [...queue, waiter];
    const cancel = sim.queue.at(sim.queue.now() + LOCK_TIMEOUT_MS, () => {
      queue = queue.filter((one) => one !== waiter);
      answer({ error: fault('canceling statement due to lock timeout', '55P03') });
    });
  }

  function serve(session: Session, statement: Statement, answer: Answer): void {
    const { text } = statement;
    if (text.startsWith(LOCK)) return lock(session, answer);
    const writes = WRITES.test(text);
    if (writes && isFull) {
      checker.lacksRoom();
      return answer({ error: fault('could not extend file: No space left on device', '53100') });
    }
    if (writes && holder !== session) sim.violate('written_without_lease', text.slice(0, 60));
    try {
      const result = tables.execute(statement, session.process);
      if (text.includes('opened AS')) session.process.passes('after_append');
      answer({ result });
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === undefined) sim.violate('unknown_statement', String(error));
      answer({ error: error as Error });
    }
  }

  // ── The way to it ────────────────────────────────────────────────────────────────────────────

  function arrives(process: SimProcess, run: () => void): void {
    sim.after(wayMs(), () =>
      process.takes(() => {
        if (process.alive) run();
      }),
    );
  }

  function connectTo(process: SimProcess, host: number): ConnectPg {
    return () => {
      const { promise, resolve, reject } = Promise.withResolvers<PgClient>();
      if (isSilent(host)) {
        process.env.timers.after(CONNECT_TIMEOUT_MS, () => reject(fault('timeout expired')));
        return promise;
      }
      arrives(process, () => {
        if (cutOf(host) === 'reset' || sim.queue.now() < downUntil)
          return reject(fault('connect ECONNREFUSED', 'ECONNREFUSED'));
        const session: Session = { process, host, isOpen: true, onReset: () => {} };
        sessions.add(session);
        resolve(createClient(session));
      });
      return promise;
    };
  }

  /** As the driver's: one statement after the other, each with a limit of time. */
  function createClient(session: Session): PgClient {
    const { process, host } = session;
    const underWay = new Set<(error: Error) => void>();
    let last: Promise<unknown> = Promise.resolve();
    let isEnded = false;
    session.onReset = () => underWay.forEach((reject) => reject(reset()));

    function ask(statement: Statement): Promise<PgResult> {
      const { promise, resolve, reject } = Promise.withResolvers<PgResult>();
      underWay.add(reject);
      sim.after(wayMs(), () => {
        if (isSilent(host)) return;
        if (!session.isOpen) return arrives(process, () => reject(reset()));
        serve(session, statement, (outcome) => {
          if (isSilent(host)) return;
          arrives(process, () => {
            if ('error' in outcome) reject(outcome.error);
            else resolve(outcome.result);
          });
        });
      });
      return promise.finally(() => underWay.delete(reject));
    }

    return {
      connect: () => Promise.resolve(),
      on: () => {},
      query(statement) {
        if (!process.alive) return never();
        if (isEnded) return Promise.reject(fault('Client was closed and is not queryable'));
        const { promise, resolve, reject } = Promise.withResolvers<PgResult>();
        const cancel: Cancel = process.env.timers.after(QUERY_TIMEOUT_MS, () =>
          reject(fault('Query read timeout')),
        );
        const answered = last.then(() => ask(statement));
        last = answered.catch(() => {});
        answered.finally(cancel).then(resolve, reject);
        return promise;
      },
      end() {
        isEnded = true;
        for (const reject of underWay) reject(fault('Connection terminated'));
        sim.after(isSilent(host) ? KEEPALIVE_MS : LONGEST_WAY_MS, () => drop(session));
        return Promise.resolve();
      },
    };
  }

  const sessionsOf = (isMeant: (session: Session) => boolean): Session[] =>
    [...sessions].filter(isMeant);
  const dropLater = (afterMs: number, isMeant: (session: Session) => boolean): void =>
    sim.after(afterMs, () => sessionsOf(isMeant).forEach(drop));

  return {
    durable: tables.durable,
    setFull(full) {
      isFull = full;
    },
    cut(host, how, forMs) {
      cuts.set(host, { how, until: sim.queue.now() + forMs });
      if (how === 'reset') sessionsOf((one) => one.host === host).forEach(drop);
      else dropLater(KEEPALIVE_MS, (one) => one.host === host && isSilent(host));
    },
    outage(forMs) {
      downUntil = sim.queue.now() + forMs;
      sessionsOf(() => true).forEach(drop);
    },
    silent(process) {
      if (!process.isSuspended) hostsGone.add(process);
      dropLater(KEEPALIVE_MS, (one) => one.process === process && !speaks(process));
    },
    async open(process, host, onLost) {
      process.onKilled(() => {
        const isQuiet = hostsGone.has(process) || isSilent(host);
        dropLater(isQuiet ? KEEPALIVE_MS : LONGEST_WAY_MS, (one) => one.process === process);
      });
      const connect = connectTo(process, host);
      const store = await openStoreOver(plant?.database?.(connect) ?? connect, {
        url: 'postgres://sim/sim',
        account: 'sim',
        env: process.env,
        onLost,
      });
      return {
        ...store,
        append(append) {
          if (!process.alive || !process.passes('before_append')) return never();
          checker.appending(append, process.index);
          return store.append(append);
        },
      };
    },
  };

  function speaks(process: SimProcess): boolean {
    return process.alive && !process.isSuspended;
  }
}
