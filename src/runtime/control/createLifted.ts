import type { Emission } from '../../strategy/index.ts';
import { askerOf } from '../operator.ts';
import { KILL_LEVELS, rankOf, type KillLevel } from './killLevels.ts';

export interface LiftedOptions {
  /** The level in force. */
  level(): KillLevel;
  /** This process ends by a policy that ends what is open. */
  isStopping(): boolean;
}

/**
 * Why what a kill level or a stop asked for may not be sent any more: it is not in force. A close names a symbol, which
 * may have another position by then. What is in force asks again for what is open.
 *
 * @returns undefined if it may
 */
export function createLifted({ level, isStopping }: LiftedOptions) {
  return (emission: Pick<Emission, 'instance' | 'cause'>): string | undefined => {
    const asker = askerOf(emission);
    if (asker?.what === 'stop' && !isStopping()) return 'the stop that asked for it is over';
    if (asker?.what !== 'kill') return undefined;
    const inForce = KILL_LEVELS.slice(0, rankOf(level()) + 1);
    return inForce.some((one) => one === asker.by)
      ? undefined
      : `kill level ${asker.by} is no longer in force`;
  };
}
