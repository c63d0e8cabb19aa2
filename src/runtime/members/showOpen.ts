import { Subscription, take } from 'rxjs';
import type { Streams } from '../../streams/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import type { RefLog } from '../wallet/index.ts';

/**
 * Shows the refs of earlier processes what is open on a wallet now, once for each of its streams: its first
 * snapshot may have come before the journal was read, and may still come.
 */
export function showOpen(
  wallet: string,
  options: { streams: Streams; plan: BotPlan; refLogs: ReadonlyMap<string, RefLog> },
): Subscription {
  const { streams, plan, refLogs } = options;
  const { account$, executionsModel$, monitorsModel$ } = streams.wallet(wallet);
  const logs = plan.strategies
    .filter((planned) => planned.wallet === wallet)
    .map(({ name }) => refLogs.get(name)!);
  const subscription = new Subscription();
  subscription.add(
    account$.pipe(take(1)).subscribe(({ openOrders }) => {
      for (const log of logs) log.open('order', openOrders.values());
    }),
  );
  subscription.add(
    executionsModel$.pipe(take(1)).subscribe((executions) => {
      for (const log of logs) log.open('execution', executions.values());
    }),
  );
  subscription.add(
    monitorsModel$.pipe(take(1)).subscribe((monitors) => {
      for (const log of logs) log.open('monitor', monitors.values());
    }),
  );
  return subscription;
}
