import type { KnownIntent } from './KnownIntent.ts';
import type { Simulation } from './Simulation.ts';

/**
 * One account has one writer. Whoever has lost the lease signs no more commands, and sends none once it has noticed; what
 * one instance has sent goes out under no other key until it is proven absent.
 */
export interface LeaseCheck {
  taken(process: number): void;
  noticed(process: number): void;
  /** It had the lease, and another process has it now. */
  isFormer(process: number): boolean;
  /** A request or a command leaves a process. @param signedAt when it was signed, or handed to the socket */
  sending(process: number, method: string, signedAt: number): void;
  /** An intent's request leaves. @param generations all of the same decision */
  sends(process: number, one: KnownIntent, generations: readonly KnownIntent[]): void;
  readonly takeovers: number;
}

/** An answer that was on its way at the takeover may have let a request go. */
const ANSWERED_MS = 50;

export function createLeaseCheck(sim: Simulation): LeaseCheck {
  const alarmed = new Set<number>();
  let holder: number | undefined;
  let takenAt = 0;
  let takeovers = 0;

  const isFormer = (process: number): boolean => holder !== undefined && process !== holder;
  return {
    taken(process) {
      if (holder !== undefined) takeovers++;
      holder = process;
      takenAt = sim.queue.now();
    },
    noticed(process) {
      sim.note('noticed', process);
      alarmed.add(process);
    },
    isFormer,
    sending(process, method, signedAt) {
      if (method === 'GET') return;
      if (alarmed.has(process)) sim.violate('sent_after_loss', `${method} of process ${process}`);
      const lateMs = signedAt - takenAt;
      if (isFormer(process) && lateMs > ANSWERED_MS)
        sim.violate('signed_after_takeover', `${method} of process ${process}, ${lateMs} ms late`);
    },
    sends(process, one, generations) {
      for (const other of generations) {
        const isDone = other.state === undefined || other.state === 'absent';
        if (other.key !== one.key && !isDone)
          sim.violate('two_keys', `${one.decisionKey} of process ${process}: ${other.state}`);
      }
    },
    get takeovers() {
      return takeovers;
    },
  };
}
