import type { Random } from '../../src/env/index.ts';
import {
  attachTpsl,
  createMonitor,
  launch,
  launchBasket,
  pauseMonitor,
  placeOrder,
  retireTpsl,
  stopLoss,
  stopMonitor,
  takeProfit,
  type Intent,
  type IntentMeta,
} from '../../src/intents/index.ts';
import { isSpot } from '../../src/runtime/wallet/index.ts';
import type { ClosedBar } from '../../src/strategy/index.ts';
import type { InstrumentView } from '../../src/strategy/StrategyContext.ts';

export interface WideSituation {
  bar: ClosedBar;
  view: InstrumentView;
  side: 'buy' | 'sell';
  /** Base units. */
  size: number;
  /** Names what it makes. */
  ref: string;
  meta: IntentMeta;
  /** Names of what this instance made last. */
  state: { lastMonitor: string };
}

const atr = (mult: number) =>
  ({ mult, indicator: 'atr', params: { period: 14 }, interval: '1m' }) as const;

/** An intent of a kind that plain seeds do not have: legs, monitors, baskets, tracked entries, other algorithms. */
export function drawWide(random: Random, situation: WideSituation): Intent {
  const { bar, view, side, size, ref, state } = situation;
  const { symbol } = view;
  const { ref: _ref, via: _via, ...plain } = situation.meta;
  const meta = { ...plain, ref };
  const away = (bps: number): number => view.roundPrice(bar.close * (1 + bps / 10_000));
  const mult = 1 + Math.floor(random.next() * 4);
  const legs = {
    take_profit: takeProfit.offset(atr(mult)),
    stop_loss: random.next() < 0.5 ? stopLoss.offset(atr(mult)) : stopLoss.trail(atr(mult)),
  };
  const duration_seconds = 60 + Math.floor(random.next() * 240);
  const slow = { algo: 'pacemaker', symbol, params: { duration_seconds } } as const;
  const kind = Math.floor(random.next() * 12);
  // What a monitor or an unanswered basket buys carries no id of the bot's: spot of it is not the bot's to sell.
  if (isSpot(symbol) && [4, 5, 7].includes(kind)) return retireTpsl(symbol, plain);
  switch (kind) {
    case 0:
      return placeOrder.market({ symbol, side, size, ...legs }, meta);
    case 1:
      return placeOrder.limit({ symbol, side, size, price: bar.close, ...legs }, meta);
    case 2:
      return attachTpsl(symbol, legs, plain);
    case 3:
      return retireTpsl(symbol, plain);
    case 4:
    case 5: {
      state.lastMonitor = ref;
      const direction = random.next() < 0.5 ? 'above' : 'below';
      const bps = (direction === 'above' ? 1 : -1) * Math.floor(2 + random.next() * 15);
      const trigger = { type: 'price_level', symbol, price: away(bps), direction } as const;
      const reduce_only = random.next() < 0.3;
      const order = { symbol, side, size, order_type: 'market', reduce_only } as const;
      const action =
        random.next() < 0.5
          ? { type: 'order' as const, request: order }
          : { type: 'execute' as const, request: { ...slow, side, total_size: size, reduce_only } };
      return createMonitor({ trigger, action, rearm: random.next() < 0.2 }, meta);
    }
    case 6: {
      if (state.lastMonitor === '') return retireTpsl(symbol, plain);
      const target = { ref: state.lastMonitor };
      return random.next() < 0.5 ? pauseMonitor(target, plain) : stopMonitor(target, plain);
    }
    case 7: {
      const half = view.roundSize(size / 2);
      const [first, second] = [
        { ...slow, side, total_size: half },
        { ...slow, side, total_size: half },
      ];
      return launchBasket({ legs: [first, second] }, meta);
    }
    case 8: {
      const price_from = {
        indicator: 'ema',
        params: { period: 10 },
        interval: '1m',
        track: true,
      } as const;
      return placeOrder.atLevel({ symbol, side, size, price_from }, meta);
    }
    case 9:
      return placeOrder.market({ symbol, side, size, reduce_only: true }, meta);
    case 10: {
      const params = { participation: 0.1, max_duration_seconds: 600 };
      return launch.flowscale({ symbol, side, total_size: size, params, ...legs }, meta);
    }
    default: {
      const params = { trigger_price: away(side === 'buy' ? 4 : -4) };
      return launch.ghostsweep({ symbol, side, total_size: size, params }, meta);
    }
  }
}
