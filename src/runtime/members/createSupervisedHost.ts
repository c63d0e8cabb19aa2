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

/** An instance across restarts. One that ended by its own fault is restarted by its policy, in market
 * time, so that a replay repeats it; without a policy it stays quarantined.
 */
export function createSupervisedHost(options: SupervisedHostOptions): StrategyHost {
  const { instance, market, restart, onLife } = options;
  let before = { emitted: 0, suppressed: 0 };
  let restarts: number[] = [];
  let resting: HostStatus | undefined;
  let cancel: Cancel = () => {};
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
    if (restartAt === undefined) return onLife({ instance, time, state: 'quarantined', fault });
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
    const { emitted, suppressed } = host;
    before = { emitted: before.emitted + emitted, suppressed: before.suppressed + suppressed };
    host = createLife(true);
    const max = restart?.max ?? 0;
    onLife({ instance, time, state: 'restarted', restart: restarts.length, max });
    host.start();
  }

  return {
    instance,
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
