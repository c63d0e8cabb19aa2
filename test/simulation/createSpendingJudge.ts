import type { Dialect, Exchange } from '../../src/contract/index.ts';
import type { TransportRequest } from '../../src/wire/createTransport.ts';
import type { SimWorld } from './SimWorld.ts';
import { weightOf } from './weightOf.ts';

/** What the budget's clauses ask of a process, seen from the wire (LIM-1, LIM-2). */
export interface SpendingJudge {
  sent(process: number, message: TransportRequest): void;
  /** A command leaves on the socket. */
  sentText(process: number): void;
  answered(process: number, exchange: Exchange, tookMs: number): void;
  /** The service itself refused for a spent budget. */
  refused(): void;
  /** Somebody else spends the key's budget now. */
  foreignSpent(): void;
  /** Weight that left since a time. */
  spentSince(since: number, process?: number): number;
  /** A 429 binds until then. */
  readonly heldUntil: number;
  /** So long somebody else's spending may bind, or be thought to: an answer tells of when it set out. */
  readonly foreignUntil: number;
  /** 429s that nobody else's spending explains. */
  readonly own429s: number;
}

interface Spending {
  process: number;
  time: number;
  weight: number;
}

export function createSpendingJudge(world: SimWorld, dialect: Dialect): SpendingJudge {
  const { windowMs, standard } = dialect.budget;
  const spent: Spending[] = [];
  let hold = { process: -1, until: 0, told: 0 };
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
    const left = hold.until - world.queue.now();
    // What happens in the same instant may come before it is heard.
    if (hold.process === process && left > 1 && world.queue.now() > hold.told) {
      world.violate('sent_in_retry_after', `${path}, ${left} ms too early`);
    }
  }

  return {
    sent(process, { method, path }) {
      checkHold(process, path);
      const time = world.queue.now();
      const since = time - windowMs;
      spent.push({ process, time, weight: weightOf(dialect, method, path.split('?')[0]!) });
      while (spent[0]!.time <= since) spent.shift();
      const used = spentSince(since, process);
      if (used > standard) {
        world.violate('overspent', `${used} of ${standard} within the window`);
      }
    },
    sentText: (process) => checkHold(process, 'command'),
    answered(process, exchange, tookMs) {
      if (world.queue.now() <= foreignUntil()) slowestMs = Math.max(slowestMs, tookMs);
      if (exchange.kind !== 'answered' || exchange.response.status !== 429) return;
      const { body, headers } = exchange.response;
      const details = (body as { error?: { details?: Record<string, unknown> } }).error?.details;
      const seconds = Number(details?.['retry_after_seconds'] ?? headers['retry-after']);
      const until = world.queue.now() + seconds * 1_000;
      const known = hold.process === process ? hold.until : 0;
      hold = { process, until: Math.max(known, until), told: world.queue.now() };
    },
    /** Here an earlier process was somebody else: what it had spent can't be known. */
    refused() {
      if (world.queue.now() <= foreignEnd) return;
      own429s++;
      const own = spentSince(world.queue.now() - windowMs, spent.at(-1)?.process);
      if (own > standard) world.violate('own_429', `${own} in a minute`);
    },
    foreignSpent() {
      foreignEnd = world.queue.now() + 2 * windowMs;
      slowestMs = 0;
    },
    spentSince,
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
