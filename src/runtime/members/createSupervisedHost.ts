import type { Cancel, MarketClock } from '../../env/index.ts';
import type { HostStatus, StrategyFault, StrategyHost } from '../../strategy/index.ts';
import type { LifeEvent, RestartPolicy } from '../RestartPolicy.ts';

export interface SupervisedHostOptions {
  instance: string;
  market: MarketClock;
  restart?: RestartPolicy | undefined;
  /** A fresh host: its strategy is set up and warmed up again, and reads its persisted state. */
  createHost(life: { isRestart: boolean; onFault(fault: StrategyFault): void }): StrategyHost;
  onFault(fault: StrategyFault): void;
  onLife(event: LifeEvent): void;
}

/** A host whose strategy may be replaced by another version while the bot runs. */
export interface SupervisedHost extends StrategyHost {
  /** It ended by an error of its own, and nothing starts it again in this process but another version. */
  readonly isOver: boolean;
  /** Ends the present life, whatever its state, and begins another with what `createHost` makes now. */
  replace(): void;
}

/** An instance across restarts. One that ended by its own fault is restarted by its policy, in market
 * time, so that a replay repeats it; without a policy it stays quarantined.
 */
export function createSupervisedHost(options: SupervisedHostOptions): SupervisedHost {
  const { instance, market, restart, onLife } = options;
  let before = { emitted: 0, suppressed: 0 };
  let restarts: number[] = [];
  let resting: HostStatus | undefined;
  let cancel: Cancel = () => {};
  let isOver = false;
  let host = createLife(false);

  function createLife(isRestart: boolean): StrategyHost {
    return options.createHost({
      isRestart,
      onFault(fault) {
        options.onFault(fault);
        // After a fault that cost only an intent, the host goes on.
        if (host.status.state === 'quarantined') rest(fault);
      },
    });
  }

  function rest(fault: StrategyFault): void {
    const time = market.now();
    const restartAt = restartTime(time);
    if (restartAt === undefined) {
      // One whose stream completed has decided all that it wanted to, and what it decided is sent.
      isOver = fault.kind !== 'completed';
      return onLife({ instance, time, state: 'quarantined', fault });
    }
    resting = { state: 'waiting', fault, until: restartAt };
    onLife({ instance, time, state: 'quarantined', fault, restartAt });
    cancel = market.at(restartAt, startAgain);
  }

  function restartTime(now: number): number | undefined {
    if (restart === undefined) return undefined;
    restarts = restarts.filter((time) => time > now - restart.withinMs);
    if (restarts.length >= restart.max) return undefined;
    return now + restart.backoffMs * 2 ** restarts.length;
  }

  function startAgain(): void {
    const time = market.now();
    restarts.push(time);
    resting = undefined;
    begin();
    const max = restart?.max ?? 0;
    onLife({ instance, time, state: 'restarted', restart: restarts.length, max });
    host.start();
  }

  /** Another life, whose counts go on from those of the last. */
  function begin(): void {
    const { emitted, suppressed } = host;
    isOver = false;
    before = { emitted: before.emitted + emitted, suppressed: before.suppressed + suppressed };
    host = createLife(true);
  }

  return {
    instance,
    replace() {
      const { state } = host.status;
      cancel();
      resting = undefined;
      if (state === 'stopped') return;
      // It decides nothing from here on; its thread may take a while to end.
      void host.stop();
      begin();
      if (state !== 'idle') host.start();
    },
    get isOver() {
      return isOver;
    },
    get status() {
      return resting ?? host.status;
    },
    get emitted() {
      return before.emitted + host.emitted;
    },
    get suppressed() {
      return before.suppressed + host.suppressed;
    },
    start: () => host.start(),
    settle: () => host.settle?.(),
    fail: (error) => host.fail(error),
    stop() {
      cancel();
      if (resting?.state === 'waiting') resting = { state: 'quarantined', fault: resting.fault };
      return host.stop();
    },
  };
}
