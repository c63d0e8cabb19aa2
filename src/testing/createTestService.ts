import type { InstrumentRecord } from '../contract/index.ts';
import type { Outcome } from '../strategy/index.ts';
import { createAnswers } from './createAnswers.ts';
import { createBarDriver } from './createBarDriver.ts';
import type { Decisions } from './createDecisions.ts';
import { createDelivery } from './createDelivery.ts';
import { createDrivenSources } from './createDrivenSources.ts';
import { createFills } from './createFills.ts';
import { createMarketDriver } from './createMarketDriver.ts';
import { createRows } from './createRows.ts';
import { createTestAccount } from './createTestAccount.ts';
import { createWalletDriver } from './createWalletDriver.ts';
import type { TestMarket } from './TestMarket.ts';

export interface TestServiceOptions {
  market: TestMarket;
  instruments: ReadonlyMap<string, InstrumentRecord>;
  instance: string;
  wallet: string;
  /** The strategy's first. */
  symbol: string;
  /** Equity at the start, quote units. */
  capital: number;
  decisions: Decisions;
  onOutcome(outcome: Outcome): void;
  /** @throws for a symbol that is not of the test */
  requireSymbol(call: string, symbol: string): InstrumentRecord;
  isRunning(): boolean;
}

/** What a service is to the strategy of a test: its wallet, its sources, and what answers and fills its intents. */
export function createTestService(options: TestServiceOptions) {
  const { market, instruments, instance, wallet, symbol, capital, decisions } = options;
  const { onOutcome, requireSymbol, isRunning } = options;
  const now = (): number => market.now();
  const nextId = createIds();

  const account = createTestAccount({
    wallet,
    capital,
    instrumentOf: (name) => requireSymbol('position', name),
    now,
  });
  const delivery = createDelivery(() => driven);
  const answers = createAnswers({
    instance,
    intents: () => decisions.intents,
    suppressed: () => decisions.suppressed,
    proposed: decisions.proposed,
    context: () => ({
      wallet,
      now: now(),
      nextId,
      position: account.position,
      markOf: account.markOf,
    }),
    delivery,
    onOutcome,
  });
  const rows = createRows({ answers, delivery, symbol, wallet, now, nextId, requireSymbol });
  const driven = createDrivenSources({
    account: account.account,
    balances: account.balances(),
    refs$: delivery.refs$,
    existing: rows.existing,
    now,
    order: {
      placeOf: (name) => [...instruments.keys()].indexOf(name),
      symbols: instruments.size,
      // In a diagram time passes without a call.
      limit: (_due, end) => market.at(now(), end),
    },
  });
  return {
    account,
    delivery,
    answers,
    rows,
    driven,
    markets: createMarketDriver({ driven, account, now, requireSymbol }),
    walletDriver: createWalletDriver({ driven, account, requireSymbol }),
    fills: createFills({ answers, account, driven, delivery, now, nextId, requireSymbol }),
    bars: createBarDriver({
      market,
      requireSymbol,
      feed: driven.feed,
      requested: driven.requested,
      isRunning,
      mark: account.mark,
    }),
  };
}

/** Numbers for each prefix, from 1: `order_1`, `order_2`. */
function createIds(): (prefix: string) => string {
  const ids = new Map<string, number>();
  return (prefix) => {
    const id = (ids.get(prefix) ?? 0) + 1;
    ids.set(prefix, id);
    return `${prefix}_${id}`;
  };
}
