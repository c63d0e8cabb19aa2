import {
  cancelOrder,
  controlExecution,
  pauseMonitor,
  stopMonitor,
  type Intent,
} from '../../intents/index.ts';
import { flatten } from './flatten.ts';
import { ownEntries, ownEntryMonitors, ownEntryOrders, type AtWork } from '../wallet/index.ts';

/** How the bot treats open records when it ends. */
export type StopPolicy = 'leave' | 'pause' | 'stop' | 'flatten';

/**
 * The bot's entries that may still add exposure, now or when a monitor fires, as intents that end them; exits
 * and protection stay.
 */
export function endEntries(work: AtWork): Intent[] {
  const orders = ownEntryOrders(work).map(({ order_id }) => cancelOrder({ order_id }));
  const executions = ownEntries(work).map(({ execution_id }) =>
    controlExecution.stop({ execution_id }),
  );
  // Before what they could place by firing.
  const monitors = ownEntryMonitors(work).map(({ monitor_id }) => stopMonitor({ monitor_id }));
  return [...monitors, ...executions, ...orders];
}

/** The bot's entries that can be paused, now or when a monitor fires, as intents that pause them. */
export function pauseEntries(work: AtWork): Intent[] {
  const monitors = ownEntryMonitors(work)
    .filter(({ status }) => status === 'armed')
    .map(({ monitor_id }) => pauseMonitor({ monitor_id }));
  const executions = ownEntries(work)
    .filter(({ status }) => status === 'running')
    .map(({ execution_id }) => controlExecution.pause({ execution_id }));
  // Before what they could launch.
  return [...monitors, ...executions];
}

/** What a bot still requests before it ends. */
export function stopIntents(
  policy: StopPolicy,
  work: AtWork,
  symbols: readonly string[],
): Intent[] {
  switch (policy) {
    case 'leave':
      return [];
    case 'pause':
      return pauseEntries(work);
    case 'stop':
      return endEntries(work);
    case 'flatten':
      return [...endEntries(work), ...flatten(work, symbols)];
  }
}
