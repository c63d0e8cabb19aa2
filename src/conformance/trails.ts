import { LIMITS, toValidPrice, withDefaults, type IndicatorId } from '../contract/index.ts';
import { check, type Check } from './Check.ts';
import { equal, refused, refusedField } from './kit/claims.ts';
import type { Actor } from './kit/createActor.ts';
import { followTrail } from './kit/followTrail.ts';
import { ATR, LOWER_BAND } from './kit/reads.ts';
import { lastOf } from './kit/referenceIndicators.ts';
import type { Stage } from './kit/Stage.ts';
import { closedBars, place, restingOrder, withLegs } from './kit/trading.ts';

const lastClose = async (stage: Stage, me: Actor): Promise<number> =>
  (await closedBars(stage, me, { limit: 1 })).at(-1)!.close;

const trailForms = check('LEG-4', 'write', 'trail shapes are distinguished', async (stage) => {
  const me = await stage.actor();
  const trail = (spec: object) => withLegs(stage, me, { stop_loss: { trail: spec } });
  refusedField(await trail({ interval: '1m' }), 'stop_loss.trail');
  refusedField(await trail({ pct: 1 }), 'stop_loss.trail.interval');
  refusedField(await trail({ pct: 1, mult: 2, interval: '1m' }), 'stop_loss.trail.mult');
  const sma = { indicator: 'sma' as IndicatorId, mult: 2, interval: '1m' };
  refusedField(await trail(sma), 'stop_loss.trail.indicator');
});

const byPercent = check('LEG-4', 'paper', 'a percentage trail only tightens', (stage) =>
  followTrail(stage, {
    kind: 'stop_loss',
    way: -1,
    minMoveBps: LIMITS.defaultMinMoveBps,
    spec: { trail: { pct: 0.25, interval: '1m' } },
    target: async (at, me) => toValidPrice((await lastClose(at, me)) * 0.9975, at.instrument),
  }),
);

const byDistance = check('LEG-4', 'paper', 'a distance trail keeps mult × ATR', (stage) =>
  followTrail(stage, {
    kind: 'stop_loss',
    way: -1,
    minMoveBps: 0,
    spec: { trail: { ...ATR, mult: 3, min_move_bps: 0 } },
    target: async (at, me) => {
      const bars = await closedBars(at, me);
      const atr = lastOf(bars, { indicator: 'atr', params: ATR.params });
      return toValidPrice(bars.at(-1)!.close - 3 * atr, at.instrument);
    },
  }),
);

const byLevel = check('LEG-4', 'paper', 'a level trail follows the level, tighter only', (stage) =>
  followTrail(stage, {
    kind: 'stop_loss',
    way: -1,
    minMoveBps: 0,
    spec: { trail: { ...LOWER_BAND, min_move_bps: 0 } },
    target: async (at, me) => {
      const params = withDefaults('keltner', LOWER_BAND.params);
      const read = { indicator: 'keltner', params, series: LOWER_BAND.series } as const;
      return toValidPrice(lastOf(await closedBars(at, me), read), at.instrument);
    },
  }),
);

const profitTrail = check('LEG-4', 'paper', 'a trail on a take-profit comes closer', (stage) =>
  followTrail(stage, {
    kind: 'take_profit',
    way: 1,
    minMoveBps: 0,
    spec: { trail: { pct: 0.5, interval: '1m', min_move_bps: 0 } },
    target: async (at, me) => toValidPrice((await lastClose(at, me)) * 1.005, at.instrument),
  }),
);

const throttledTrail = check('LEG-5', 'paper', 'min_move_bps throttles a trail', (stage) =>
  followTrail(stage, {
    kind: 'stop_loss',
    way: -1,
    minMoveBps: 15,
    spec: { trail: { pct: 0.4, interval: '1m' }, min_move_bps: 15 },
    target: async (at, me) => toValidPrice((await lastClose(at, me)) * 0.996, at.instrument),
  }),
);

const trailLimit = check('LEG-11', 'paper', 'the 21st trailing leg is refused', async (stage) => {
  const me = await stage.actor();
  const { maintainedRows } = LIMITS;
  const base = await restingOrder(stage, me);
  const size = Number((base.size / 10).toFixed(stage.instrument.size_decimals));
  const trail = { trail: { pct: 2, interval: '1m' } };
  const both = { ...base, size, stop_loss: trail, take_profit: trail };
  for (let order = 0; order < maintainedRows / 2; order++) await place(me, both);
  const body = { ...base, size, stop_loss: trail };
  const answer = await me.call('orders.place', { body });
  const details = refused(answer, 422, 'trailing_limit', `trailing leg ${maintainedRows + 1}`);
  equal([details.limit, details.in_use], [maintainedRows, maintainedRows], 'limit and in_use');
  const { size: _size, ...plain } = base;
  await place(me, { ...plain, size, stop_loss: { offset: { mult: 2, ...ATR } } });
});

export const trailChecks: readonly Check[] = [
  trailForms,
  byPercent,
  byDistance,
  byLevel,
  profitTrail,
  throttledTrail,
  trailLimit,
];
