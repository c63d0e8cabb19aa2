import type { Dialect, Exchange } from '../../src/contract/index.ts';
import type { TransportRequest } from '../../src/wire/createTransport.ts';
import type { Simulation } from './Simulation.ts';
import { weightOf } from './weightOf.ts';

/** Checks the budget's clauses on the wire (LIM-1, LIM-2). */
export interface SpendingCheck {
  sent(process: number, message: TransportRequest): void;
  /** A command is sent on the socket. */
  sentText(process: number): void;
  answered(process: number, exchange: Exchange, tookMs: number): void;
  /** The service itself refused for a spent budget. */
  refused(): void;
  /** Another client spends the key's budget now. */
  foreignSpent(): void;
  /** Weight sent since a time. */
  spentSince(since: number, process?: number): number;
  /** Weight that processes before the newest sent since a time, at most two windows ago. */
  spentEarlier(since: number): number;
  /** A 429 is in force until then. */
  readonly heldUntil: number;
  /** How long another client's spending may count, allowing for response delay. */
  readonly foreignUntil: number;
  /** 429s not explained by another client's spending. */
  readonly own429s: number;
}

interface Spending {
  process: number;
  time: number;
  weight: number;
}

/** A request counts for the bot from its admission; on a slow disk it leaves a little later. */
const ON_ITS_WAY_MS = 50;

export function createSpendingCheck(sim: Simulation, dialect: Dialect): SpendingCheck {
  const { windowMs, standard } = dialect.budget;
  const spent: Spending[] = [];
  let hold = { process: -1, until: 0, reported: 0 };
  let foreignEnd = 0;
  let slowestMs = 0;
  const foreignUntil = (): number => foreignEnd + slowestMs;
  let own429s = 0;

  function spentSince(since: number, process?: number): number {
    let sum = 0;
    for (const one of spent) {
      if (one.time > since && (process === undefined || one.process === process)) sum += one.weight;
    }
    return sum;
  }

  function checkHold(process: number, path: string): void {
    const left = hold.until - sim.queue.now();
    // An event of the same instant may precede its receipt.
    if (hold.process === process && left > 1 && sim.queue.now() > hold.reported) {
      sim.violate('sent_in_retry_after', `${path}, ${left} ms too early`);
    }
  }

  return {
    sent(process, { method, path }) {
      checkHold(process, path);
      const time = sim.queue.now();
      spent.push({ process, time, weight: weightOf(dialect, method, path.split('?')[0]!) });
      while (spent[0]!.time <= time - 2 * windowMs) spent.shift();
      const used = spentSince(time - windowMs + ON_ITS_WAY_MS, process);
      if (used > standard) {
        sim.violate('overspent', `${used} of ${standard} within the window`);
      }
    },
    sentText: (process) => checkHold(process, 'command'),
    answered(process, exchange, tookMs) {
      if (sim.queue.now() <= foreignUntil()) slowestMs = Math.max(slowestMs, tookMs);
      if (exchange.kind === 'not_sent') return;
      // Also of one whose body was cut on its way.
      const response = exchange.kind === 'answered' ? exchange.response : exchange.unread;
      if (response?.status !== 429) return;
      const { headers } = response;
      const body = exchange.kind === 'answered' ? exchange.response.body : undefined;
      const details = (body as { error?: { details?: Record<string, unknown> } } | undefined)?.error
        ?.details;
      const seconds = Number(details?.['retry_after_seconds'] ?? headers['retry-after']);
      const until = sim.queue.now() + seconds * 1_000;
      const known = hold.process === process ? hold.until : 0;
      hold = { process, until: Math.max(known, until), reported: sim.queue.now() };
    },
    /** An earlier process counts as another client: its spending is unknown. */
    refused() {
      if (sim.queue.now() <= foreignEnd) return;
      own429s++;
      const own = spentSince(sim.queue.now() - windowMs, spent.at(-1)?.process);
      if (own > standard) sim.violate('own_429', `${own} in a minute`);
    },
    foreignSpent() {
      foreignEnd = sim.queue.now() + 2 * windowMs;
      slowestMs = 0;
    },
    spentSince,
    spentEarlier: (since) => spentSince(since) - spentSince(since, spent.at(-1)?.process),
    get heldUntil() {
      return hold.until;
    },
    get foreignUntil() {
      return foreignUntil();
    },
    get own429s() {
      return own429s;
    },
  };
}
