import { toValidPrice, type EndpointId } from '../../src/contract/index.ts';
import type { Draw } from '../fuzz/Draw.ts';
import type { Known } from '../fuzz/Known.ts';
import type { ShapedRequest } from '../fuzz/ShapedRequest.ts';

/** What a request is drawn from. */
export interface Place {
  draw: Draw;
  known: Known;
  /** The wallet's position, base units, signed; 0 if there is none. */
  held(symbol: string): number;
  /** Ids of what is open, by the name of their field. */
  live: Readonly<Record<'order_id' | 'execution_id' | 'monitor_id', () => readonly string[]>>;
}

type Side = 'buy' | 'sell';

/** A place whose market and side are chosen. */
class Spot {
  readonly draw: Draw;
  readonly known: Known;
  readonly symbol: string;
  readonly side: Side;
  readonly held: number;
  readonly #live: Place['live'];

  constructor({ draw, known, held, live }: Place) {
    this.draw = draw;
    this.#live = live;
    this.known = known;
    this.symbol = draw.pick(known.symbols.slice(0, 3));
    this.held = held(this.symbol);
    this.side = draw.pick(['buy', 'sell']);
  }

  /** Mostly of something open. */
  id(kind: keyof Place['live']): string {
    const { draw, known } = this;
    const live = this.#live[kind]();
    return live.length > 0 && draw.chance(0.8) ? draw.pick(live) : known.id(kind, draw);
  }

  get exitSide(): Side {
    return this.held > 0 ? 'sell' : 'buy';
  }

  /** The mark, moved by some basis points. */
  price(bps: number): number {
    const { known, symbol } = this;
    return toValidPrice(known.mark(symbol) * (1 + bps / 10_000), known.instrument(symbol));
  }

  /** Below the mark for a buyer, above it for a seller. */
  better(side: Side, least: number, most: number): number {
    const bps = this.draw.number(least, most);
    return this.price(side === 'buy' ? -bps : bps);
  }

  worse(side: Side, least: number, most: number): number {
    return this.better(side, -most, -least);
  }

  size(value = this.draw.number(30, 2_500)): number {
    const unit = 10 ** this.known.instrument(this.symbol).size_decimals;
    return Math.max(1, Math.round((value / this.known.mark(this.symbol)) * unit)) / unit;
  }

  /** A level that is near the price: an average, or a line of a band. */
  level(): Record<string, unknown> {
    const { draw } = this;
    const interval = draw.pick(['1m', '1m', '5m']);
    return draw.pick([
      { indicator: 'sma', params: { period: draw.int(2, 9) }, interval },
      { indicator: 'ema', params: { period: draw.int(2, 9) }, interval },
      { indicator: 'wma', params: { period: 4 }, interval },
      {
        indicator: 'bollinger',
        params: { period: 8 },
        series: draw.pick(['upper', 'mid', 'lower']),
        interval,
      },
      { indicator: 'keltner', series: draw.pick(['upper', 'lower']), interval },
      { indicator: 'psar', interval },
      { indicator: 'vwap', interval },
    ]);
  }

  entry(): Record<string, unknown> {
    const { draw } = this;
    if (draw.chance(0.3)) return this.level();
    return {
      ...this.level(),
      track: true,
      ...(draw.chance(0.6) && { min_move_bps: draw.pick([0, 0, 1, 8]) }),
      ...(draw.chance(0.5) && { max_drift_bps: draw.pick([5, 30, 400]) }),
    };
  }

  leg(kind: 'take_profit' | 'stop_loss', exit: Side, surface: EndpointId): object {
    const { draw } = this;
    const atr = { indicator: 'atr', params: { period: 5 }, interval: '1m' };
    const far = kind === 'take_profit' ? this.better(exit, 5, 60) : this.worse(exit, 5, 60);
    const form = draw.pick([
      { price: far },
      { offset: { mult: draw.pick([0.5, 1, 3]), ...atr } },
      { offset: { mult: 0.01, indicator: 'sma', params: { period: 3 }, interval: '1m' } },
      { at: this.level() },
      { trail: { pct: draw.pick([0.05, 0.3, 1]), interval: '1m', min_move_bps: 0 } },
      { trail: { pct: 0.1, interval: '5m' }, min_move_bps: draw.pick([0, 2]) },
      { trail: { mult: draw.pick([1, 2.5]), ...atr } },
      { trail: { ...this.level(), min_move_bps: 1 } },
    ]);
    if (surface !== 'positions.attachLegs' || 'trail' in form || draw.chance(0.4)) return form;
    const unwind = draw.pick([
      { unwind_algo: 'pacemaker', unwind_params: { duration_seconds: 120, slices: 4 } },
      { unwind_algo: 'pacemaker', unwind_params: { duration_seconds: 300, randomize: 0.5 } },
      { unwind_algo: 'glidemaker', unwind_params: { strategy: 'passive' } },
      { unwind_algo: 'glidemaker' },
      { unwind_algo: 'smartexit', unwind_params: { patience_seconds: 20 } },
      { unwind_algo: 'smartexit' },
      { unwind_algo: 'ghostsweep', unwind_params: { sweep_limit_bps: 40 } },
      { unwind_algo: 'ghostsweep' },
    ]);
    return { ...form, exit_style: 'algo_unwind', ...unwind };
  }

  legs(exit: Side, surface: EndpointId, chance: number): object {
    const { draw } = this;
    return {
      ...(draw.chance(chance) && { take_profit: this.leg('take_profit', exit, surface) }),
      ...(draw.chance(chance) && { stop_loss: this.leg('stop_loss', exit, surface) }),
    };
  }

  order(): Record<string, unknown> {
    const { draw, symbol, side } = this;
    const exit = side === 'buy' ? 'sell' : 'buy';
    const body = draw.pick([
      { order_type: 'market' },
      { order_type: 'market', slippage_bps: draw.pick([0, 5, 300]) },
      { order_type: 'limit', price: this.better(side, -5, 30) },
      { order_type: 'limit', price: this.better(side, -30, 10), time_in_force: 'ioc' },
      { order_type: 'limit', price: this.better(side, 0, 10), time_in_force: 'post_only' },
      { order_type: 'limit', price_from: this.entry() },
      { order_type: 'limit', price_from: this.entry(), time_in_force: 'post_only' },
    ]);
    return {
      symbol,
      side,
      size: this.size(),
      ...body,
      ...(draw.chance(0.2) && { reduce_only: true }),
      ...(draw.chance(0.1) && { client_order_id: `c-${draw.int(1, 60)}` }),
      ...this.legs(exit, 'orders.place', 0.3),
    };
  }

  launch(): Record<string, unknown> {
    const { draw, symbol, held } = this;
    const kind = draw.pick(['glide', 'pace', 'ghost', 'scale', 'band', 'smart', 'smart']);
    const side = kind === 'smart' && held !== 0 ? this.exitSide : this.side;
    const own = this.algo(kind, side);
    return {
      symbol,
      side,
      total_size: kind === 'smart' && held !== 0 ? Math.abs(held) : this.size(),
      ...own,
      ...(kind !== 'smart' && draw.chance(0.2) && { reduce_only: true }),
      ...(draw.chance(0.1) && { client_execution_id: `c-${draw.int(1, 60)}` }),
      ...this.legs(side === 'buy' ? 'sell' : 'buy', 'executions.launch', 0.15),
    };
  }

  algo(kind: string, side: Side): Record<string, unknown> {
    const { draw } = this;
    switch (kind) {
      case 'glide': {
        const strategy = draw.pick(['passive', 'balanced', 'aggressive']);
        const limit = draw.chance(0.6)
          ? { limit_price: this.worse(side, -10, 40) }
          : { limit_price_from: this.entry() };
        return { algo: 'glidemaker', params: { strategy, ...limit } };
      }
      case 'pace': {
        const params = {
          duration_seconds: draw.pick([60, 200, 900]),
          ...(draw.chance(0.5) && { slices: draw.pick([1, 3, 12]) }),
          ...(draw.chance(0.3) && { randomize: draw.pick([0.2, 0.5]) }),
          ...(draw.chance(0.4) && { limit_price: this.worse(side, -10, 20) }),
        };
        return { algo: 'pacemaker', params };
      }
      case 'ghost':
        return { algo: 'ghostsweep', ...this.sweep(side) };
      case 'scale': {
        const params = {
          participation: draw.pick([0.01, 0.1, 0.5]),
          ...(draw.chance(0.4) && { max_duration_seconds: draw.pick([1, 120, 900]) }),
          ...(draw.chance(0.4) && { limit_price: this.worse(side, -10, 20) }),
        };
        return { algo: 'flowscale', params };
      }
      case 'band': {
        const band = { band_low: this.price(-draw.number(1, 30)), band_high: this.price(20) };
        const part = draw.chance(0.5) ? { participation: draw.pick([0.05, 0.4]) } : {};
        return { algo: 'flowband', params: { ...band, ...part } };
      }
      default: {
        const stop = draw.chance(0.6)
          ? { stop_price: this.worse(side, 2, 25) }
          : { stop_price_from: this.entry() };
        const params = {
          ...stop,
          ...(draw.chance(0.5) && { take_price: this.better(side, 2, 25) }),
          ...(draw.chance(0.6) && { patience_seconds: draw.pick([0, 15, 90]) }),
        };
        return { algo: 'smartexit', reduce_only: true, params };
      }
    }
  }

  sweep(side: Side): object {
    const { draw } = this;
    const bps = draw.chance(0.5) ? { sweep_limit_bps: draw.pick([0, 2, 40]) } : {};
    if (draw.chance(0.4)) return { trigger_from: this.entry(), ...bps };
    const trigger = draw.number(-20, 20);
    const limit = draw.chance(0.4)
      ? { sweep_limit: this.price(trigger + (side === 'buy' ? 10 : -10)) }
      : bps;
    return { params: { trigger_price: this.price(trigger) }, ...limit };
  }

  closing(): Record<string, unknown> {
    const { draw, exitSide } = this;
    const kind = draw.pick(['market', 'market', 'glide', 'pace', 'scale', 'band', 'smart']);
    if (kind === 'market') return draw.chance(0.5) ? {} : { slippage_bps: draw.pick([0, 20]) };
    const { algo, params } = this.algo(kind, exitSide);
    return { algo, params };
  }

  action(types = ['order', 'execute']): Record<string, unknown> {
    const type = this.draw.pick(types);
    if (type === 'order') return { type, request: this.order() };
    if (type === 'execute') return { type, request: this.launch() };
    return { type, request: { symbol: this.symbol, ...this.closing() } };
  }

  monitor(): Record<string, unknown> {
    const { draw, symbol } = this;
    const direction = draw.pick(['above', 'below']);
    const trigger = draw.chance(0.6)
      ? { type: 'price_level', price: this.price(draw.number(-25, 25)) }
      : { type: 'indicator_level', ...this.level() };
    return {
      trigger: { symbol, direction, ...trigger },
      action: this.action(),
      ...(draw.chance(0.5) && { rearm: draw.chance(0.6) }),
      ...(draw.chance(0.3) && { name: 'near' }),
    };
  }

  webhook(): Record<string, unknown> {
    const { draw } = this;
    const action = this.action(['order', 'execute', 'close']) as {
      type: string;
      request: Record<string, unknown>;
    };
    for (const name of ['side', 'size', 'total_size', 'price'])
      if (action.request[name] !== undefined && draw.chance(0.5))
        action.request[name] = `{{${name}}}`;
    return {
      name: draw.pick(['alert', 'other']),
      action,
      ...(draw.chance(0.4) && { cooldown_seconds: draw.pick([0, 60, 400]) }),
      ...(draw.chance(0.3) && { daily_cap: draw.pick([1, 2, 50]) }),
      ...(draw.chance(0.3) && { dry_run: draw.chance(0.6) }),
    };
  }

  alert(): unknown {
    const { draw, side } = this;
    if (draw.chance(0.1)) return 'buy now';
    const whole = { side, size: this.size(), total_size: this.size(), price: this.price(-5) };
    if (draw.chance(0.7)) return whole;
    return draw.pick([{ side }, { ...whole, side: 'long' }, { ...whole, size: '1' }, {}]);
  }

  basket(): Record<string, unknown> {
    const { draw, known } = this;
    const legs = Array.from({ length: draw.int(1, 4) }, () => this.launch());
    const isRanged = draw.chance(0.3) && legs.every(({ symbol }) => symbol === this.symbol);
    return {
      ...(draw.chance(0.15) ? { template_id: known.id('template_id', draw) } : { legs }),
      ...(draw.chance(0.3) && { name: 'near' }),
      ...(isRanged && { price_range: { low: this.price(-18), high: this.price(18) } }),
    };
  }
}

/** Requests whose prices are so near to the market that something happens soon; most of them make sense. */
const MAKERS: Readonly<Record<string, (spot: Spot) => Omit<ShapedRequest, 'query'>>> = {
  order: (spot) => ({ endpoint: 'orders.place', pathParams: {}, body: spot.order() }),
  launch: (spot) => ({ endpoint: 'executions.launch', pathParams: {}, body: spot.launch() }),
  legs: (spot) => {
    const legs = spot.legs(spot.exitSide, 'positions.attachLegs', 0.7);
    const body =
      Object.keys(legs).length > 0 ? legs : { stop_loss: { price: spot.worse('sell', 5, 50) } };
    return { endpoint: 'positions.attachLegs', pathParams: { symbol: spot.symbol }, body };
  },
  close: (spot) => ({
    endpoint: 'positions.close',
    pathParams: { symbol: spot.symbol },
    body: spot.closing(),
  }),
  monitor: (spot) => ({ endpoint: 'monitors.create', pathParams: {}, body: spot.monitor() }),
  group: (spot) => ({
    endpoint: 'monitors.createGroup',
    pathParams: {},
    body: {
      mode: spot.draw.pick(['oco', 'none']),
      monitor_ids: [spot.id('monitor_id'), spot.id('monitor_id')],
    },
  }),
  webhook: (spot) => ({ endpoint: 'webhooks.create', pathParams: {}, body: spot.webhook() }),
  alert: (spot) => ({
    endpoint: 'webhooks.inbound',
    pathParams: { token: spot.known.id('token', spot.draw) },
    body: spot.alert(),
  }),
  basket: (spot) => ({ endpoint: 'baskets.launch', pathParams: {}, body: spot.basket() }),
  template: (spot) => {
    const { template_id: _, legs = [spot.launch()], ...rest } = spot.basket();
    const body = { name: 'template', ...rest, legs };
    return { endpoint: 'baskets.createTemplate', pathParams: {}, body };
  },
  modify: (spot) => ({
    endpoint: 'orders.modify',
    pathParams: { id: spot.id('order_id') },
    body: spot.draw.pick<object>([
      { price: spot.price(spot.draw.number(-20, 20)) },
      { size: spot.size() },
      { price: spot.price(-2), size: spot.size() },
    ]),
  }),
  leverage: (spot) => ({
    endpoint: 'leverage.set',
    pathParams: { symbol: spot.symbol },
    body: {
      leverage: spot.draw.pick([1, 3, 20, 50, 51]),
      ...(spot.draw.chance(0.5) && { mode: spot.draw.pick(['cross', 'isolated']) }),
    },
  }),
  settings: ({ draw }) => ({
    endpoint: 'account.updateSettings',
    pathParams: {},
    body: draw.pick<object>([
      { default_slippage_bps: draw.pick([0, 10, 500]) },
      { default_leverage: draw.pick([2, 5]) },
    ]),
  }),
  control: (spot) => ({
    endpoint: spot.draw.pick([
      'executions.pause',
      'executions.resume',
      'executions.resume',
      'executions.stop',
      'executions.completeAtMarket',
      'executions.markComplete',
      'executions.events',
    ] as const),
    pathParams: { id: spot.id('execution_id') },
    body: undefined,
  }),
  watch: (spot) => ({
    endpoint: spot.draw.pick([
      'monitors.pause',
      'monitors.resume',
      'monitors.rearm',
      'monitors.rearm',
      'monitors.stop',
      'monitors.remove',
      'monitors.get',
    ] as const),
    pathParams: { id: spot.id('monitor_id') },
    body: undefined,
  }),
  cancel: (spot) => ({
    endpoint: spot.draw.pick(['orders.cancel', 'orders.get'] as const),
    pathParams: { id: spot.id('order_id') },
    body: undefined,
  }),
  read: ({ draw, symbol }) => ({
    endpoint: draw.pick([
      'positions.get',
      'positions.entryFees',
      'positions.legs',
      'positions.retireLegs',
      'leverage.get',
    ] as const),
    pathParams: { symbol },
    body: undefined,
  }),
};
export const NEAR_KINDS: readonly string[] = Object.keys(MAKERS);

/** A request near the market, of one of the kinds. */
export function nearRequest(kinds: readonly string[], place: Place): ShapedRequest {
  const make = MAKERS[place.draw.pick(kinds)]!;
  return { query: {}, ...make(new Spot(place)) };
}
