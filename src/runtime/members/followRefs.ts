import { Subscription, type Observable } from 'rxjs';
import type { FillRecord } from '../../contract/index.ts';
import type { Streams } from '../../streams/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import { actionOf, orderEventsOf, type RefLog } from '../wallet/index.ts';

/**
 * Reports a wallet's frames to the refs of the symbol's owner. It subscribes after all other parts of a bot,
 * since a strategy may decide on such an event at once, and before the strategies, so that what they read by a
 * ref includes the frame that they receive.
 */
export function followRefs(
  wallet: string,
  options: {
    plan: BotPlan;
    streams: Streams;
    refLogs: ReadonlyMap<string, RefLog>;
    fillsOf(wallet: string): Observable<FillRecord>;
  },
): Subscription {
  const { plan, streams, refLogs } = options;
  const source = streams.wallet(wallet);
  const own = plan.strategies.filter((planned) => planned.wallet === wallet);
  const logs = own.map(({ name }) => refLogs.get(name)!);
  const bySymbol = new Map<unknown, RefLog>();
  for (const { name, symbols } of own.toReversed()) {
    for (const symbol of symbols) bySymbol.set(symbol, refLogs.get(name)!);
  }
  const logOf = (symbol: unknown): RefLog | undefined => bySymbol.get(symbol);
  const gone = (id: string): void => logs.forEach((log) => log.gone(id));
  const subscription = new Subscription();
  subscription.add(
    orderEventsOf(source).subscribe(({ event, order }) => {
      if (event === 'gone') gone(order.order_id);
      else logOf(order.symbol)?.order(order);
    }),
  );
  subscription.add(options.fillsOf(wallet).subscribe((fill) => logOf(fill.symbol)?.fill(fill)));
  subscription.add(
    source.executions$.subscribe(({ event, execution }) => {
      if (event !== 'gone') logOf(execution.symbol)?.execution(execution);
    }),
  );
  subscription.add(source.executionsModel$.subscribe(missing(gone)));
  subscription.add(
    source.monitors$.subscribe(({ event, monitor }) => {
      if (event !== 'gone') logOf(actionOf(monitor).symbol)?.monitor(monitor);
    }),
  );
  subscription.add(source.monitorsModel$.subscribe(missing(gone)));
  return subscription;
}

/** Calls for each id that the model before had and the present one lacks. */
function missing(onMissing: (id: string) => void) {
  let last: ReadonlyMap<string, unknown> = new Map();
  return (model: ReadonlyMap<string, unknown>): void => {
    for (const id of last.keys()) if (!model.has(id)) onMissing(id);
    last = model;
  };
}
