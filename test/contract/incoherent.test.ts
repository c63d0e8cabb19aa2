import { describe, expect, test } from 'vitest';
import { checkRequest, defaultDialect, type EndpointId } from '../../src/contract/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The faults of a request, each as `path code`. */
function faultsOf(endpoint: EndpointId, body: unknown): string[] {
  const result = checkRequest(endpoint, body, defaultDialect);
  if (result.ok) return [];
  return result.fault.details.fields.map(({ path, code }) => `${path} ${code}`);
}

const market = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' };
const limit = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit' };
const level = { indicator: 'ema', interval: '1h' };
const paced = {
  algo: 'pacemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 1,
  params: { duration_seconds: 600 },
};
const glide = { ...paced, algo: 'glidemaker', params: { strategy: 'passive', limit_price: 100 } };
const sweep = { ...paced, algo: 'ghostsweep', params: { trigger_price: 100 } };
const { params: _params, ...readSweep } = { ...sweep, trigger_from: level };
const trigger = { type: 'price_level', symbol: 'BTC', price: 1, direction: 'above' };
const range = { low: 90, high: 110 };
const legsOf = (count: number): Fields => ({ legs: Array.from({ length: count }, () => paced) });
const short = { ...paced, params: { duration_seconds: 59 } };
const unwind = (duration_seconds: number): Fields => ({
  price: 100,
  exit_style: 'algo_unwind',
  unwind_algo: 'pacemaker',
  unwind_params: { duration_seconds },
});

/** Requests beside their faults; none: it is accepted. */
const TABLE: Partial<Record<EndpointId, ReadonlyArray<[body: Fields, ...faults: string[]]>>> = {
  'orders.place': [
    [market],
    [{ ...market, slippage_bps: 0 }],
    [{ ...market, price: 1 }, 'price conflicting_field'],
    [{ ...market, price_from: level }, 'price_from conflicting_field'],
    ...['gtc', 'ioc', 'post_only'].map((time_in_force): [Fields, string] => [
      { ...market, time_in_force },
      'time_in_force conflicting_field',
    ]),
    [limit, 'price required'],
    [{ ...limit, price: 1, time_in_force: 'ioc' }],
    [{ ...limit, price_from: level, time_in_force: 'post_only' }],
    [{ ...limit, price_from: level, time_in_force: 'ioc' }, 'time_in_force conflicting_field'],
    [{ ...limit, price: 1, price_from: level }, 'price_from conflicting_field'],
    [{ ...limit, price: 1, slippage_bps: 1 }, 'slippage_bps conflicting_field'],
  ],
  'orders.modify': [[{ price: 1 }], [{ size: 1 }], [{ price: 1, size: 1 }], [{}, ' required']],
  'executions.launch': [
    [paced],
    [{ ...paced, params: { duration_seconds: 60 } }],
    [short, 'params.duration_seconds too_small'],
    ...[paced, glide].flatMap((launch): Array<[Fields, string]> => [
      [{ ...launch, sweep_limit: 1 }, 'sweep_limit conflicting_field'],
      [{ ...launch, sweep_limit_bps: 1 }, 'sweep_limit_bps conflicting_field'],
      [{ ...launch, trigger_from: level }, 'trigger_from conflicting_field'],
    ]),
    [sweep],
    [readSweep],
    [{ ...sweep, sweep_limit: 101 }],
    [{ ...readSweep, sweep_limit: 101 }],
    [{ ...sweep, params: {} }, 'params.trigger_price required'],
    [{ ...sweep, trigger_from: level }, 'trigger_from conflicting_field'],
    [{ ...sweep, sweep_limit: 101, sweep_limit_bps: 10 }, 'sweep_limit_bps conflicting_field'],
    [{ ...readSweep, trigger_from: { ...level, track: true }, sweep_limit_bps: 10 }],
    [
      { ...readSweep, trigger_from: { ...level, track: true }, sweep_limit: 101 },
      'sweep_limit absolute_sweep_limit_on_tracked_trigger',
    ],
    [
      { ...paced, algo: 'smartexit', params: { stop_price: 1 }, reduce_only: false },
      'reduce_only required',
    ],
    [{ ...paced, algo: 'smartexit', params: { stop_price: 1 }, reduce_only: true }],
  ],
  'positions.close': [
    [{ order_type: 'market' }],
    [{ algo: 'pacemaker', params: { duration_seconds: 60 } }],
    [{ algo: 'pacemaker', params: { duration_seconds: 59 } }, 'params.duration_seconds too_small'],
  ],
  'positions.attachLegs': [
    [{ take_profit: unwind(60), stop_loss: unwind(60) }],
    [{ take_profit: unwind(59) }, 'take_profit.unwind_params.duration_seconds too_small'],
    [{ stop_loss: unwind(59) }, 'stop_loss.unwind_params.duration_seconds too_small'],
    ...['indicator', 'mult', 'params', 'series'].map((field): [Fields, string] => [
      {
        stop_loss: {
          trail: {
            pct: 1,
            interval: '1h',
            ...{ indicator: { indicator: 'atr' }, mult: { mult: 2 } }[field],
            ...{ params: { params: { period: 5 } }, series: { series: 'value' } }[field],
          },
        },
      },
      `stop_loss.trail.${field} conflicting_form`,
    ]),
  ],
  'monitors.create': [
    [{ trigger, action: { type: 'execute', request: paced } }],
    [
      { trigger, action: { type: 'execute', request: short } },
      'action.request.params.duration_seconds too_small',
    ],
  ],
  'monitors.createGroup': [
    [{ mode: 'oco', monitor_ids: ['a', 'b'] }],
    [{ mode: 'oco', monitor_ids: ['a', 'b', 'a'] }, 'monitor_ids.2 duplicate'],
  ],
  'baskets.launch': [
    [legsOf(1)],
    [legsOf(10)],
    [legsOf(11), 'legs too_many_legs'],
    [{}, 'legs conflicting_field'],
    [{ ...legsOf(1), template_id: 'tpl_1' }, 'legs conflicting_field'],
    [{ template_id: 'tpl_1', price_range: range }],
    [{ template_id: 'tpl_1', price_range: { low: 1, high: 1 } }, 'price_range.high range'],
    [{ template_id: 'tpl_1', price_range: { low: 2, high: 1 } }, 'price_range.high range'],
    [{ legs: [paced, short] }, 'legs.1.params.duration_seconds too_small'],
  ],
  'baskets.createTemplate': [
    [{ name: 'a', ...legsOf(10) }],
    [{ name: 'a', ...legsOf(11) }, 'legs too_many_legs'],
    [{ name: 'a', legs: [paced, short] }, 'legs.1.params.duration_seconds too_small'],
  ],
  'webhooks.update': [[{ dry_run: true }], [{}, ' required']],
};

describe.each(Object.entries(TABLE))('RULE-2: %s', (endpoint, rows) => {
  test.each(rows.map(([body, ...faults]) => [JSON.stringify(body), faults, body] as const))(
    '%s: %j',
    (_text, faults, body) => {
      expect(faultsOf(endpoint as EndpointId, body)).toEqual(faults);
    },
  );
});

/** The prices of a launch that a basket's range bounds, each on its path. */
const PRICED: ReadonlyArray<[path: string, launch: (price: number) => Fields]> = [
  [
    'params.limit_price',
    (limit_price) => ({ ...glide, params: { strategy: 'passive', limit_price } }),
  ],
  [
    'params.limit_price',
    (limit_price) => ({ ...paced, params: { duration_seconds: 600, limit_price } }),
  ],
  [
    'params.trigger_price',
    (trigger_price) => ({ ...sweep, params: { trigger_price }, sweep_limit: 100 }),
  ],
  ['sweep_limit', (sweep_limit) => ({ ...sweep, sweep_limit })],
  [
    'params.band_low',
    (band_low) => ({ ...paced, algo: 'flowband', params: { band_low, band_high: 110 } }),
  ],
  [
    'params.band_high',
    (band_high) => ({ ...paced, algo: 'flowband', params: { band_low: 90, band_high } }),
  ],
];

describe.each(['baskets.launch', 'baskets.createTemplate'] as const)('BSK-1: %s', (endpoint) => {
  const named = endpoint === 'baskets.createTemplate' ? { name: 'a' } : {};
  const faults = (leg: Fields): string[] =>
    faultsOf(endpoint, { ...named, legs: [paced, leg], price_range: range });

  test.each(PRICED)('%s lies in the range, its ends included', (path, launch) => {
    const isBand = path.startsWith('params.band');
    for (const price of [90, 100, 110]) {
      if (isBand && (path.endsWith('low') ? price === 110 : price === 90)) continue;
      expect(faults(launch(price))).toEqual([]);
    }
    for (const price of [89.99, 110.01]) {
      if (isBand && (path.endsWith('low') ? price > 110 : price < 90)) continue;
      expect(faults(launch(price))).toEqual([`legs.1.${path} outside_range`]);
    }
  });

  test.each([
    ['buy', 109.9, 9, []],
    ['buy', 109.9, 10, ['legs.1.sweep_limit_bps outside_range']],
    ['sell', 90.1, 11, []],
    ['sell', 90.1, 12, ['legs.1.sweep_limit_bps outside_range']],
  ] as const)('a %s at %d that sweeps %d bps: %j', (side, trigger_price, bps, wanted) => {
    const leg = { ...sweep, side, params: { trigger_price }, sweep_limit_bps: bps };
    expect(faults(leg)).toEqual(wanted);
  });
});
