import type { ServiceFault } from '../../contract/index.ts';
import { after, type Env } from '../../env/index.ts';
import type { Journal } from '../../journal/index.ts';
import type { Settings } from './createSettings.ts';
import type { PipeEvent } from '../PipeEvent.ts';
import { record, type SendItem } from './PipeItem.ts';
import type { Approved, Sent } from './stations.ts';

/** Why something is not sent any more, and the guard that decided so, if one did. */
export interface TooLate {
  reason: string;
  guard?: string;
}

export interface ConclusionsOptions {
  env: Pick<Env, 'clock'>;
  journal: Journal;
  settings: Settings;
  report(item: SendItem, state: PipeEvent['state'], extra?: Partial<PipeEvent>): void;
}

/** The final state of an intent, or the state it is left in: journaled first, then reported (ERR-1). */
export interface Conclusions {
  accept(item: Sent, found: unknown): void | Promise<void>;
  reject(item: Sent, fault: ServiceFault): Promise<void>;
  /** It may have been executed; nothing confirms or refutes it. */
  markUnknown(item: Sent, reason: string): Promise<void>;
  /** It is proven that it was never executed. */
  absent(item: Sent): Promise<void>;
  /** Nothing more can be found out: an operator is notified. */
  unresolved(item: Sent, why?: string): Promise<void>;
  /** It must not be sent any more, and nothing of it ever was. */
  expire(item: Approved, why: TooLate): void | Promise<void>;
}

export function createConclusions(options: ConclusionsOptions): Conclusions {
  const { env, journal, settings, report } = options;
  return {
    accept(item, found) {
      const data = { record: found };
      return after(record(journal, item, { state: 'accepted', data }), () =>
        report(item, 'accepted', data),
      );
    },
    async reject(item, fault) {
      settings.unset(item);
      await record(journal, item, { state: 'rejected', data: { fault } });
      report(item, 'rejected', { fault });
    },
    async markUnknown(item, reason) {
      await record(journal, item, { state: 'unknown', data: { reason } });
      item.unknownSince ??= env.clock.monotonicNow();
      report(item, 'unknown', { reason });
    },
    async absent(item) {
      await record(journal, item, { state: 'absent' });
      report(item, 'absent');
    },
    async unresolved(item, why = 'no answer and no evidence') {
      const reason = `${why}; look it up on the service`;
      await record(journal, item, { state: 'unresolved', data: { reason } });
      report(item, 'unresolved', { reason });
    },
    expire: (item, why) =>
      after(record(journal, item, { state: 'expired', data: { ...why } }), () =>
        report(item, 'expired', why),
      ),
  };
}
