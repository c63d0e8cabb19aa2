import { interval, merge, mergeMap, filter, of, type Observable } from 'rxjs';
import { z } from 'zod';
import { createRandom } from '../../src/env/index.ts';
import {
  cancelOrder,
  closePosition,
  launch,
  placeOrder,
  setLeverage,
  type Intent,
} from '../../src/intents/index.ts';
import { defineStrategy, type Strategy } from '../../src/strategy/index.ts';
import type { InstrumentView } from '../../src/strategy/StrategyContext.ts';
import { BUDGET } from './createLaneMeter.ts';
import type { Load, Scenario } from './Scenario.ts';
import type { Simulation } from './Simulation.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const CYCLE_MS = 30 * MINUTE_MS;
const LAUNCH_WEIGHT = 20;
const ORDER_WEIGHT = 2;
const EXIT_WEIGHT = 2;

/** Decides more per second than the budget allows; each decision has an expiry. */
export function createLoadStrategy(sim: Simulation, load: Load, isQuiet: () => boolean): Strategy {
  const { scenario } = sim;
  return defineStrategy({
    name: 'load',
    contract: 1,
    description: 'More decisions than the budget carries.',
    params: z.object({}),
    scopes: ['trade', 'algo'],
    setup(ctx): Observable<Intent> {
      const { symbol } = ctx;
      const view = ctx.instrument(symbol);
      let price = 0;
      const bars$ = ctx.candles(symbol, '1m').pipe(
        filter(({ close }) => {
          price = close;
          return false;
        }),
        mergeMap(() => []),
      );
      const seconds$ = interval(SECOND_MS, ctx.scheduler).pipe(
        filter(() => !isQuiet() && price > 0),
        mergeMap(() => decide({ scenario, load, view, price, now: ctx.now() })),
      );
      return merge(of(setLeverage(symbol, { leverage: 20, mode: 'cross' })), bars$, seconds$);
    },
  });
}

interface Moment {
  scenario: Scenario;
  load: Load;
  view: InstrumentView;
  price: number;
  now: number;
}

function decide(moment: Moment): Intent[] {
  const { scenario, load, view, now } = moment;
  const random = createRandom(`${scenario.seed} ${view.symbol} ${now}`);
  const share = BUDGET.share / scenario.bot.instances;
  const isRush = now % CYCLE_MS < load.rushMinutes * MINUTE_MS;
  const weightASecond =
    (scenario.service.weightPerMinute * share * (isRush ? load.rush : load.calm)) / 60;
  const { launches } = load;
  const entryWeight = launches * LAUNCH_WEIGHT + (1 - launches) * ORDER_WEIGHT;
  const ofLane = load.lane === 'entry' ? entryWeight : EXIT_WEIGHT;
  const count = (expected: number): number => Math.floor(expected + random.next());
  const many = Array.from({ length: count(weightASecond / ofLane) }, (_, index) => {
    const decision = `${now}-${index}`;
    const not_after = now + 5_000 + Math.floor(random.next() * 30_000);
    return load.lane === 'entry'
      ? entry(moment, random.next() < launches, { decision, not_after })
      : exit(moment, index, { decision, not_after });
  });
  const closes =
    load.lane === 'exit' && isRush ? 0 : count(load.closes / scenario.bot.instances / 60);
  const few = Array.from({ length: closes }, (_, index) =>
    closePosition.atMarket(view.symbol, {}, { decision: `${now}-close-${index}` }),
  );
  return [...many, ...few];
}

type Named = { decision: string; not_after: number };

function entry({ view, price, now }: Moment, isLaunch: boolean, meta: Named): Intent {
  const { symbol } = view;
  const side = (now / SECOND_MS) % 2 < 1 ? 'buy' : 'sell';
  if (isLaunch) {
    const total_size = view.roundSize(150 / price);
    return launch.pacemaker({ symbol, side, total_size, params: { duration_seconds: 60 } }, meta);
  }
  // Far from the market, and cancelled at once: only the sending counts.
  const away = view.roundPrice(price * (side === 'buy' ? 0.98 : 1.02));
  const size = view.roundSize(30 / price);
  return placeOrder.limit({ symbol, side, size, price: away, time_in_force: 'ioc' }, meta);
}

function exit({ view }: Moment, index: number, meta: Named): Intent {
  return index % 2 === 0
    ? closePosition.atMarket(view.symbol, {}, meta)
    : cancelOrder({ client_order_id: `none-${index}` }, meta);
}
