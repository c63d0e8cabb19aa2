import { filter, from, merge, mergeMap, of, take, type Observable } from 'rxjs';
import { z } from 'zod';
import { createRandom, type Random } from '../../src/env/index.ts';
import {
  attachTpsl,
  cancelOrder,
  closePosition,
  controlExecution,
  launch,
  modifyOrder,
  placeOrder,
  setLeverage,
  stopLoss,
  type Intent,
  type IntentMeta,
} from '../../src/intents/index.ts';
import { defineStrategy, type ClosedBar, type Strategy } from '../../src/strategy/index.ts';
import type { InstrumentView } from '../../src/strategy/StrategyContext.ts';
import { drawWide } from './drawWide.ts';
import { HOUR_MS, type Scenario } from './Scenario.ts';
import type { Simulation } from './Simulation.ts';

/**
 * Trades at random, but identically on the same bar: a restarted instance makes the same decision again,
 * under the same name.
 *
 * @param isQuiet true once no new decision may be made
 */
export function createSimStrategy(
  sim: Simulation,
  isQuiet: () => boolean,
  isArmed: () => boolean = () => true,
): Strategy {
  const { scenario } = sim;
  return defineStrategy({
    name: 'sim',
    contract: 1,
    description: 'Random decisions for the simulation.',
    params: z.object({}),
    scopes: ['trade', 'algo'],
    setup(ctx): Observable<Intent> {
      const { symbol } = ctx;
      const view = ctx.instrument(symbol);
      const draw = (name: string): Random => createRandom(`${scenario.seed} ${symbol} ${name}`);
      const state = { lastOrder: '', lastLaunch: '', lastMonitor: '' };

      const bars$ = ctx.candles(symbol, '1m').pipe(
        filter(() => !isQuiet()),
        mergeMap((bar) => from(decide(draw(`bar ${bar.time}`), { bar, view, scenario, state }))),
      );
      const fills$ = ctx.fills$.pipe(
        filter(() => !isQuiet()),
        mergeMap((fill) => {
          const random = draw(`fill ${fill.fill_id}`);
          if (random.next() > 0.1 || fill.reduce_only) return [];
          const mult = 2 + Math.floor(random.next() * 4);
          return [attachTpsl(symbol, { stop_loss: stopLoss.offset(offsetOf(mult)) })];
        }),
      );
      // After the faults each instance sends one more intent, once no kill level stands: a machine that was
      // suspended until then hears of the re-arm later than of the bars.
      const probe$ = ctx.candles(symbol, '1m').pipe(
        filter(() => sim.elapsed() > HOUR_MS + PROBE_AFTER_MS && isArmed()),
        take(1),
        mergeMap((bar) => [
          cancelOrder({ client_order_id: PROBE }, { decision: PROBE }),
          entryProbe(bar, view),
        ]),
      );
      const setup = setLeverage(symbol, { leverage: 20, mode: 'cross' });
      return merge(of(setup), bars$, fills$, probe$);
    },
  });
}

/** An order that does not exist: the service answers so. */
export const PROBE = 'probe';
export const ENTRY_PROBE = 'entry-probe';

/** Time to detect that the faults are over. */
const PROBE_AFTER_MS = 5 * 60_000;

const offsetOf = (mult: number) =>
  ({ mult, indicator: 'atr', params: { period: 14 }, interval: '1m' }) as const;

/** Far from the market, so that it rests; small, so that only the gate can deny it. */
function entryProbe(bar: ClosedBar, { symbol, roundSize, roundPrice }: InstrumentView): Intent {
  const price = roundPrice(bar.close * 0.9);
  const size = roundSize(20 / price);
  return placeOrder.limit({ symbol, side: 'buy', size, price }, { decision: ENTRY_PROBE });
}

interface Situation {
  bar: ClosedBar;
  view: InstrumentView;
  scenario: Scenario;
  state: { lastOrder: string; lastLaunch: string; lastMonitor: string };
}

function decide(random: Random, situation: Situation): Intent[] {
  const intents: Intent[] = [];
  const { activity } = situation.scenario.bot;
  for (let chance = activity; chance > 0; chance--) {
    if (random.next() < Math.min(1, chance)) {
      const intent = draw(random, situation, intents.length);
      if (intent !== null) intents.push(intent);
    }
  }
  return intents;
}

function draw(random: Random, situation: Situation, index: number): Intent | null {
  const { bar, view, scenario, state } = situation;
  const { symbol } = view;
  const side = random.next() < 0.5 ? 'buy' : 'sell';
  const notional = 150 + random.next() * scenario.bot.maxPositionNotional * 0.4;
  const size = view.roundSize(notional / bar.close);
  const ref = `${bar.time}-${index}`;
  const meta = metaOf(random, situation, ref);
  const luck = random.next();
  if (scenario.bot.isWide && luck < 0.6) {
    return drawWide(random, { bar, view, side, size, ref, meta, state });
  }
  if (luck < 0.25) {
    state.lastOrder = ref;
    const away = (random.next() - 0.3) * 0.002 * (side === 'buy' ? -1 : 1);
    const price = view.roundPrice(bar.close * (1 + away));
    return placeOrder.limit({ symbol, side, size, price }, meta);
  }
  if (luck < 0.4) return placeOrder.market({ symbol, side, size }, meta);
  if (luck < 0.55) {
    state.lastLaunch = ref;
    const params = { duration_seconds: 60 + Math.floor(random.next() * 240) };
    return launch.pacemaker({ symbol, side, total_size: size, params }, meta);
  }
  if (luck < 0.65) {
    state.lastLaunch = ref;
    const limit_price = view.roundPrice(bar.close * (side === 'buy' ? 1.002 : 0.998));
    const params = { strategy: 'balanced' as const, limit_price };
    return launch.glidemaker({ symbol, side, total_size: size, params }, meta);
  }
  if (luck < 0.75) return closePosition.atMarket(symbol, {}, withoutRef(meta));
  if (luck < 0.85 && state.lastOrder !== '') {
    return cancelOrder({ ref: state.lastOrder }, withoutRef(meta));
  }
  if (luck < 0.92 && state.lastOrder !== '') {
    const change = { price: view.roundPrice(bar.close * (0.998 + random.next() * 0.004)) };
    return modifyOrder({ ref: state.lastOrder }, change, withoutRef(meta));
  }
  if (state.lastLaunch === '') return null;
  return controlExecution.stop({ ref: state.lastLaunch }, withoutRef(meta));
}

function metaOf(random: Random, { bar, scenario }: Situation, ref: string): IntentMeta {
  const meta: IntentMeta = { ref };
  if (random.next() < 0.3) meta.not_after = bar.time + 60_000 + Math.floor(random.next() * 90_000);
  if (random.next() < scenario.bot.viaSocket) meta.via = 'socket';
  // The same name for several bars: one decision, sent once.
  if (random.next() < 0.1) meta.decision = `named-${Math.floor(bar.time / 300_000)}`;
  return meta;
}

/** The intent only names its target's id, and not every control has a socket command. */
function withoutRef({ ref: _ref, via: _via, ...meta }: IntentMeta): IntentMeta {
  return meta;
}
