import { naiveCapacity } from './naiveCapacity.ts';
import type { ReportData, ReportFill } from '../../src/operate/report/index.ts';

/**
 * Every figure of a report, literally from its published definition: slow, and without a line of the product. Returns are
 * of whole UTC days, a year has 365 of them, and there is no risk-free rate.
 */

const [HOUR, DAY] = [3_600_000, 86_400_000];
const LENGTHS: Record<string, number> = { '1m': 60_000, '5m': 300_000, '1h': HOUR, '1d': DAY };

type Value = number | null;

export interface NaiveTrade {
  symbol: string;
  strategy: string;
  side: 'long' | 'short';
  from: number;
  until: number | null;
  size: number;
  entry: number;
  exit: number | null;
  pnl: number;
  fees: number;
  mae: Value;
  mfe: Value;
}

const add = (values: readonly number[]): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};
const avg = (values: readonly number[]): number => add(values) / values.length;
const sd = (values: readonly number[]): number => {
  const m = avg(values);
  return Math.sqrt(add(values.map((value) => (value - m) * (value - m))) / (values.length - 1));
};
/** NumPy's default. */
const pct = (values: readonly number[], q: number): number => {
  const s = [...values].sort((a, b) => a - b);
  const at = (s.length - 1) * q;
  const i = Math.trunc(at);
  return i + 1 >= s.length ? s[i]! : s[i]! * (1 - (at - i)) + s[i + 1]! * (at - i);
};
const comp = (values: readonly number[]): number => {
  let growth = 1;
  for (const value of values) growth *= 1 + value;
  return growth - 1;
};
const up = (values: readonly number[]): number[] => values.filter((value) => value > 0);
const down = (values: readonly number[]): number[] => values.filter((value) => value < 0);
const or = (value: number): Value => (Number.isFinite(value) ? value : null);
const streak = (values: readonly number[], won: boolean): number => {
  const letters = values.map((value) => (value === 0 ? '0' : value > 0 === won ? 'x' : 'y'));
  return Math.max(0, ...(letters.join('').match(/x+/g) ?? []).map((run) => run.length));
};
/** Φ by the error function's series of Abramowitz and Stegun 7.1.6. */
const phi = (x: number): number => {
  const z = Math.abs(x) / Math.SQRT2;
  let [term, total] = [z, z];
  for (let n = 1; n < 400; n++) {
    term *= (2 * z * z) / (2 * n + 1);
    total += term;
  }
  const erf = (2 / Math.sqrt(Math.PI)) * Math.exp(-z * z) * total;
  return x < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
};
/** SciPy's norm.ppf(0.05) and norm.ppf(0.01). */
const [PPF_05, PPF_01] = [-1.6448536269514729, -2.3263478740408408];

/** Equity at a time: the last point at or before it. */
function at(curve: readonly (readonly [number, number])[], time: number): number {
  let found = curve[0]![1];
  for (const [when, value] of curve) {
    if (when > time) break;
    found = value;
  }
  return found;
}

/** Equity of the whole run from its start to its end: its points, and those of its hours. */
export function naiveEquity(data: ReportData): [number, number][] {
  const { startTime, endTime, totals, strategies } = data;
  const start = totals.start_equity;
  const times = new Set<number>();
  const lists = data.equity === undefined ? strategies.map((one) => one.equity) : [data.equity];
  for (const list of [...lists, data.hourly ?? []]) for (const [time] of list) times.add(time);
  const points = new Map<number, number>();
  if (data.equity === undefined) {
    const worth = strategies.map((one) => new Map(one.equity));
    const last = strategies.map(() => 0);
    for (const time of [...times].sort((a, b) => a - b)) {
      worth.forEach((one, index) => (last[index] = one.get(time) ?? last[index]!));
      points.set(time, start + add(last));
    }
  } else {
    for (const [time, value] of data.hourly ?? []) points.set(time, value);
    for (const [time, value] of data.equity) points.set(time, value);
  }
  const inner = [...points].filter(([time]) => time > startTime && time < endTime);
  inner.sort((a, b) => a[0] - b[0]);
  return [[startTime, start], ...inner, [endTime, start + totals.pnl]];
}

/** Values at the midnights of a run. */
function midnights(curve: readonly [number, number][], data: ReportData): number[] {
  const values: number[] = [];
  for (let time = 0; time <= data.endTime; time += DAY) {
    if (time >= data.startTime) values.push(at(curve, time));
  }
  return values;
}

const changes = (values: readonly number[]): number[] =>
  values.slice(1).map((value, day) => (value - values[day]!) / values[day]!);

/** Returns of the months and years of UTC that the run has a part of. */
function calendar(curve: readonly [number, number][], data: ReportData, years: boolean): number[] {
  const found: number[] = [];
  let from = data.startTime;
  while (from < data.endTime) {
    const date = new Date(from);
    const next = years
      ? Date.UTC(date.getUTCFullYear() + 1, 0, 1)
      : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    const until = Math.min(next, data.endTime);
    found.push(at(curve, until) / at(curve, from) - 1);
    from = until;
  }
  return found;
}

function naiveDrawdowns(curve: readonly [number, number][]) {
  const found: { start: number; valley: number; end: Value; days: number; depth: number }[] = [];
  for (let i = 0; i + 1 < curve.length;) {
    const [peakTime, peak] = curve[i]!;
    let j = i + 1;
    if (curve[j]![1] >= peak) {
      i = j;
      continue;
    }
    while (j < curve.length && curve[j]![1] < peak) j++;
    const below = curve.slice(i + 1, j);
    const low = Math.min(...below.map(([, value]) => value));
    const last = curve[Math.min(j, curve.length - 1)]![0];
    found.push({
      start: peakTime,
      valley: below.find(([, value]) => value === low)![0],
      end: j < curve.length ? curve[j]![0] : null,
      days: last - peakTime,
      depth: (peak - low) / peak,
    });
    if (j >= curve.length) break;
    i = j;
  }
  return found.sort((a, b) => b.depth - a.depth);
}

/** From flat to flat, or each closing part with the oldest open one. */
export function naiveTrades(data: ReportData, byLot: boolean): NaiveTrade[] {
  const trades: NaiveTrade[] = [];
  const keys = new Set(data.fills.map(({ strategy, symbol }) => `${strategy}|${symbol}`));
  for (const key of keys) {
    const fills = data.fills
      .filter(({ strategy, symbol }) => `${strategy}|${symbol}` === key)
      .toSorted((a, b) => a.time - b.time);
    trades.push(...(byLot ? fifo(fills) : flatToFlat(fills)));
  }
  for (const trade of trades) excursion(trade, data);
  return trades.sort((a, b) => a.from - b.from);
}

function begin(fill: ReportFill, size: number): NaiveTrade {
  const { symbol, strategy, time: from, price: entry } = fill;
  const fees = (fill.fee * size) / fill.size;
  const side = fill.side === 'buy' ? 'long' : 'short';
  const none = { until: null, exit: null, mae: null, mfe: null };
  return { symbol, strategy, side, from, size, entry, pnl: -fees, fees, ...none };
}

function fifo(fills: readonly ReportFill[]): NaiveTrade[] {
  const open: { fill: ReportFill; left: number }[] = [];
  const trades: NaiveTrade[] = [];
  for (const fill of fills) {
    let left = fill.size;
    for (const lot of open) {
      if (lot.fill.side === fill.side || left < 1e-12 || lot.left < 1e-12) continue;
      const size = Math.min(left, lot.left);
      const trade = begin(lot.fill, size);
      const sign = trade.side === 'long' ? 1 : -1;
      const fee = (fill.fee * size) / fill.size;
      trade.until = fill.time;
      trade.exit = fill.price;
      trade.fees += fee;
      trade.pnl += sign * size * (fill.price - lot.fill.price) - fee;
      trades.push(trade);
      left -= size;
      lot.left -= size;
    }
    if (left > 1e-12) open.push({ fill, left });
  }
  for (const { fill, left } of open) if (left > 1e-12) trades.push(begin(fill, left));
  return trades;
}

function flatToFlat(fills: readonly ReportFill[]): NaiveTrade[] {
  const trades: NaiveTrade[] = [];
  let parts: { fill: ReportFill; size: number }[] = [];
  const close = (until: number | null): void => {
    if (parts.length === 0) return;
    const [{ fill: first }] = parts as [{ fill: ReportFill; size: number }];
    const entries = parts.filter(({ fill }) => fill.side === first.side);
    const exits = parts.filter(({ fill }) => fill.side !== first.side);
    const cost = (list: typeof parts): number =>
      add(list.map(({ fill, size }) => fill.price * size));
    const amount = (list: typeof parts): number => add(list.map(({ size }) => size));
    const trade = begin(first, amount(entries));
    let [held, most] = [0, 0];
    for (const { fill, size } of parts) {
      held += fill.side === first.side ? size : -size;
      most = Math.max(most, held);
    }
    trade.size = most;
    trade.entry = cost(entries) / amount(entries);
    trade.fees = add(parts.map(({ fill, size }) => (fill.fee * size) / fill.size));
    if (until !== null) {
      trade.until = until;
      trade.exit = cost(exits) / amount(exits);
      trade.pnl = (trade.side === 'long' ? 1 : -1) * (cost(exits) - cost(entries)) - trade.fees;
    }
    trades.push(trade);
    parts = [];
  };
  let held = 0;
  for (const fill of fills) {
    const sign = fill.side === 'buy' ? 1 : -1;
    if (held * sign >= 0 || fill.size <= Math.abs(held) + 1e-12) {
      parts.push({ fill, size: fill.size });
      held += sign * fill.size;
    } else {
      parts.push({ fill, size: Math.abs(held) });
      const rest = fill.size - Math.abs(held);
      close(fill.time);
      parts.push({ fill, size: rest });
      held = sign * rest;
      continue;
    }
    if (Math.abs(held) < 1e-9) {
      close(fill.time);
      held = 0;
    }
  }
  close(null);
  return trades;
}

function excursion(trade: NaiveTrade, { symbols, endTime }: ReportData): void {
  const bars = symbols[trade.symbol];
  if (bars === undefined) return;
  const length = LENGTHS[bars.interval]!;
  const prices = [trade.exit ?? trade.entry];
  for (let index = 0; index < bars.time.length; index++) {
    const open = bars.time[index]!;
    if (open < trade.from || open + length > (trade.until ?? endTime)) continue;
    prices.push(bars.low[index]!, bars.high[index]!);
  }
  let [worst, best] = [0, 0];
  for (const price of prices) {
    const moved = (trade.side === 'long' ? 1 : -1) * ((price - trade.entry) / trade.entry);
    [worst, best] = [Math.min(worst, moved), Math.max(best, moved)];
  }
  [trade.mae, trade.mfe] = [worst, best];
}

/** Gross exposure and leverage at the instants of the report's chart. */
function naiveExposure(data: ReportData, curve: readonly [number, number][]) {
  const span = Math.max(1, data.endTime - data.startTime);
  const step = Math.max(1, Math.ceil(span / 2_000 / 60_000)) * 60_000;
  const steps = Math.ceil(span / step);
  const keys = [...new Set(data.fills.map(({ strategy, symbol }) => `${strategy}|${symbol}`))];
  const [gross, leverage]: [number[], number[]] = [[], []];
  for (let index = 0; index <= steps; index++) {
    const time = data.startTime + index * step;
    let total = 0;
    for (const key of keys) {
      let [held, price] = [0, 0];
      for (const fill of data.fills) {
        if (`${fill.strategy}|${fill.symbol}` !== key || fill.time > time) continue;
        held += fill.side === 'buy' ? fill.size : -fill.size;
        price = fill.price;
      }
      if (Math.abs(held) < 1e-9) continue;
      const bars = data.symbols[key.split('|')[1]!]!;
      const count = Math.floor((time - bars.time[0]!) / LENGTHS[bars.interval]!);
      const last = Math.min(count, bars.time.length) - 1;
      total += Math.abs(held * (last < 0 ? price : bars.close[last]!));
    }
    gross.push(total);
    leverage.push(total / at(curve, time));
  }
  return { gross, leverage };
}

export function naiveFigures(data: ReportData): Record<string, Value> {
  const { totals } = data;
  const curve = naiveEquity(data);
  const worth = midnights(curve, data);
  const r = changes(worth);
  const money = worth.slice(1).map((value, day) => value - worth[day]!);
  const [months, years] = [calendar(curve, data, false), calendar(curve, data, true)];
  const n = r.length;
  const [m, s] = [avg(r), sd(r)];
  const below = r.map((_value, day) => {
    let [now, peak] = [1, 1];
    for (const value of r.slice(0, day + 1)) peak = Math.max(peak, (now *= 1 + value));
    return now / peak - 1;
  });
  const deepest = -Math.min(0, ...below);
  const cagr = (1 + comp(r)) ** (365 / n) - 1;
  const sharpe = (m / s) * Math.sqrt(365);
  const sortino = (m / Math.sqrt(add(down(r).map((value) => value * value)) / n)) * Math.sqrt(365);
  const corr = (a: readonly number[], b: readonly number[]): number =>
    add(a.map((value, i) => (value - avg(a)) * (b[i]! - avg(b)))) /
    (a.length - 1) /
    (sd(a) * sd(b));
  const rho = Math.abs(corr(r.slice(0, n - 1), r.slice(1)));
  let lags = 0;
  for (let k = 1; k < n; k++) lags += ((n - k) / n) * Math.pow(rho, k);
  const penalty = Math.sqrt(1 + 2 * lags);
  const z = r.map((value) => (value - m) / s);
  const skew = (n / ((n - 1) * (n - 2))) * add(z.map((value) => value ** 3));
  const kurt =
    ((n * (n + 1)) / ((n - 1) * (n - 2) * (n - 3))) * add(z.map((value) => value ** 4)) -
    (3 * (n - 1) ** 2) / ((n - 2) * (n - 3));
  const p = Math.sqrt(add(r.map((value) => (value - m) ** 2)) / n);
  const [g3, g4] = [3, 4].map((power) => avg(r.map((value) => ((value - m) / p) ** power)));
  const one = m / s;
  const psr = phi(
    (one * Math.sqrt(n - 1)) / Math.sqrt(1 - g3! * one + ((g4! - 1) / 4) * one * one),
  );
  const v95 = m + PPF_05 * s;
  const tail = Math.abs(pct(r, 0.95) / pct(r, 0.05));
  const factor = Math.abs(add(up(r)) / add(down(r)));
  const payoff = avg(up(r)) / Math.abs(avg(down(r)));
  const won = up(r).length / r.filter((value) => value !== 0).length;
  const ulcer = Math.sqrt(add(below.map((value) => value * value)) / (n - 1));
  const [bm, bs] = [avg(below), sd(below)];
  const worse = below.filter((value) => value < bm + PPF_05 * bs);
  const shortfall = worse.length === 0 ? bm + PPF_05 * bs : avg(worse);

  const first = data.strategies[0]!.symbols[0]!;
  const bars = data.symbols[first]!;
  const price: [number, number][] = [[data.startTime, bars.open[0]!]];
  for (let i = 0; i < bars.time.length; i++) {
    price.push([bars.time[i]! + LENGTHS[bars.interval]!, bars.close[i]!]);
  }
  const b = changes(midnights(price, data));
  const bFall = Math.max(
    ...b.map((_value, day) => {
      let [now, peak] = [1, 1];
      for (const value of b.slice(0, day + 1)) peak = Math.max(peak, (now *= 1 + value));
      return 1 - now / peak;
    }),
  );
  const beta = (corr(r, b) * sd(r)) / sd(b);
  const apart = r.map((value, i) => value - b[i]!);

  const falls = naiveDrawdowns(curve);
  const { gross, leverage } = naiveExposure(data, curve);
  const turnover = add(data.fills.map((fill) => fill.price * fill.size));
  const maker = data.fills.filter(({ liquidity }) => liquidity === 'maker');
  const days = (data.endTime - data.startTime) / DAY;
  const since = (from: number): Value =>
    from < data.startTime ? null : curve.at(-1)![1] / at(curve, from) - 1;
  const end = new Date(data.endTime);
  const ago = (count: number): number =>
    Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - count, end.getUTCDate()) +
    (data.endTime % DAY);
  const inside = new Date(data.endTime - 1);
  const month = Date.UTC(inside.getUTCFullYear(), inside.getUTCMonth(), 1);
  const year = Date.UTC(inside.getUTCFullYear(), 0, 1);
  const trades = naiveTrades(data, data.trade_grouping === 'lots');
  return {
    total_return: totals.pnl / totals.start_equity,
    pnl: totals.pnl,
    start_equity: totals.start_equity,
    end_equity: totals.end_equity,
    days_total_return: comp(r),
    cagr,
    expected_day: (1 + comp(r)) ** (1 / n) - 1,
    expected_month: (1 + comp(months)) ** (1 / months.length) - 1,
    expected_year: (1 + comp(years)) ** (1 / years.length) - 1,
    mtd: since(Math.max(month, data.startTime)),
    three_months: since(ago(3)),
    six_months: since(ago(6)),
    ytd: since(Math.max(year, data.startTime)),
    one_year: since(ago(12)),
    best_day: Math.max(...r),
    worst_day: Math.min(...r),
    best_day_money: Math.max(...money),
    worst_day_money: Math.min(...money),
    average_day_money: avg(money),
    best_month: Math.max(...months),
    worst_month: Math.min(...months),
    best_year: Math.max(...years),
    worst_year: Math.min(...years),
    average_up_month: or(avg(up(months))),
    average_down_month: or(avg(down(months))),
    win_days: won,
    win_months: up(months).length / months.filter((value) => value !== 0).length,
    win_years: up(years).length / years.filter((value) => value !== 0).length,
    volatility: s * Math.sqrt(365),
    variance: s * s * 365,
    sharpe,
    smart_sharpe: sharpe / penalty,
    sharpe_probability: psr,
    sortino,
    smart_sortino: sortino / penalty,
    adjusted_sortino: sortino / Math.sqrt(2),
    calmar: cagr / deepest,
    omega: factor,
    gain_to_pain: add(r) / Math.abs(add(down(r))),
    gain_to_pain_months: or(add(months) / Math.abs(add(down(months)))),
    tail_ratio: tail,
    value_at_risk: v95,
    value_at_risk_99: m + PPF_01 * s,
    conditional_value_at_risk: avg(r.filter((value) => value < v95)),
    skewness: skew,
    kurtosis: kurt,
    outlier_win_ratio: pct(r, 0.99) / avg(r.filter((value) => value >= 0)),
    outlier_loss_ratio: pct(r, 0.01) / avg(down(r)),
    profit_factor_days: factor,
    payoff_days: payoff,
    common_sense_ratio: factor * tail,
    cpc_index: factor * won * payoff,
    kelly: (payoff * won - (1 - won)) / payoff,
    risk_of_ruin: ((1 - won) / (1 + won)) ** n,
    won_days_in_a_row: streak(r, true),
    lost_days_in_a_row: streak(r, false),
    max_drawdown: totals.max_drawdown_share,
    max_drawdown_money: totals.max_drawdown,
    max_drawdown_start: totals.max_drawdown_peak_time ?? null,
    max_drawdown_valley: totals.max_drawdown_trough_time ?? null,
    longest_drawdown: totals.longest_drawdown_ms ?? Math.max(...falls.map((fall) => fall.days)),
    average_drawdown: avg(falls.map(({ depth }) => depth)),
    average_drawdown_length: avg(falls.map((fall) => fall.days)),
    recovery_factor: Math.abs(add(r)) / deepest,
    ulcer_index: ulcer,
    serenity_index: add(r) / (ulcer * (-shortfall / s)),
    lowest_equity: curve.reduce((low, [, value]) => Math.min(low, value), Infinity),
    highest_equity: curve.reduce((high, [, value]) => Math.max(high, value), 0),
    benchmark_return: price.at(-1)![1] / price[0]![1] - 1,
    benchmark_cagr: (1 + comp(b)) ** (365 / n) - 1,
    benchmark_volatility: sd(b) * Math.sqrt(365),
    benchmark_sharpe: (avg(b) / sd(b)) * Math.sqrt(365),
    benchmark_drawdown: bFall,
    beta,
    alpha: (m - beta * avg(b)) * 365,
    correlation: corr(r, b),
    r_squared: corr(r, b) ** 2,
    information_ratio: avg(apart) / sd(apart),
    tracking_error: sd(apart) * Math.sqrt(365),
    treynor: comp(r) / beta,
    ...naiveTradeFigures(trades),
    time_in_market: heldShare(trades, data),
    average_exposure: avg(gross),
    largest_exposure: Math.max(...gross),
    average_leverage: avg(leverage),
    largest_leverage: Math.max(...leverage),
    fills: totals.fills,
    trades_a_day: trades.filter(({ until }) => until !== null).length / days,
    turnover,
    turnover_a_day: turnover / totals.start_equity / days,
    fees: totals.fees,
    fee_bps: (add(data.fills.map(({ fee }) => fee)) / turnover) * 10_000,
    funding: totals.funding ?? null,
    maker_share: add(maker.map((fill) => fill.price * fill.size)) / turnover,
    capacity: naiveCapacity(data),
    intents_emitted: totals.intents.emitted,
    intents_accepted: totals.intents.accepted,
    intents_denied: totals.intents.denied,
    intents_rejected: totals.intents.rejected,
    intents_unknown: totals.intents.unknown,
    intents_expired: totals.intents.expired,
    rate_limited: totals.rate_limited,
    uncovered: totals.uncovered === undefined ? null : totals.uncovered.total_seconds * 1_000,
    liquidations: data.liquidations?.length ?? null,
  };
}

export function naiveTradeFigures(all: readonly NaiveTrade[]): Record<string, Value> {
  const done = all.filter(({ until }) => until !== null).sort((a, b) => a.until! - b.until!);
  const pnl = done.map((trade) => trade.pnl);
  const hold = (list: readonly NaiveTrade[]): number[] =>
    list.map((trade) => trade.until! - trade.from);
  const winners = done.filter((trade) => trade.pnl > 0);
  const losers = done.filter((trade) => trade.pnl < 0);
  const payoff = avg(up(pnl)) / Math.abs(avg(down(pnl)));
  const won = winners.length / done.length;
  const [mae, mfe] = [done.map((trade) => trade.mae!), done.map((trade) => trade.mfe!)];
  const size = done.map((trade) => trade.size * trade.entry);
  return {
    trades: done.length,
    open_trades: all.length - done.length,
    win_rate: won,
    profit_factor: Math.abs(add(up(pnl)) / add(down(pnl))),
    payoff_ratio: payoff,
    expectancy: won * avg(up(pnl)) + (losers.length / done.length) * avg(down(pnl)),
    expectancy_ratio: (1 + payoff) * won - 1,
    system_quality: (Math.sqrt(done.length) * avg(pnl)) / sd(pnl),
    average_win: avg(up(pnl)),
    average_loss: avg(down(pnl)),
    best_trade: Math.max(...pnl),
    worst_trade: Math.min(...pnl),
    average_trade_return: avg(done.map((trade, i) => trade.pnl / size[i]!)),
    trade_deviation: sd(pnl),
    won_in_a_row: streak(pnl, true),
    lost_in_a_row: streak(pnl, false),
    average_hold: avg(hold(done)),
    median_hold: pct(hold(done), 0.5),
    average_winner_hold: avg(hold(winners)),
    average_loser_hold: avg(hold(losers)),
    shortest_hold: Math.min(...hold(done)),
    longest_hold: Math.max(...hold(done)),
    average_size: avg(size),
    average_mae: avg(mae),
    worst_mae: Math.min(...mae),
    average_mfe: avg(mfe),
    best_mfe: Math.max(...mfe),
  };
}

/** Share of the run's stretches between entries and exits in which something is held. */
function heldShare(trades: readonly NaiveTrade[], { startTime, endTime }: ReportData): number {
  const ends = trades.flatMap(({ from, until }) => [from, until ?? endTime]);
  const times = [...new Set([startTime, ...ends, endTime])].sort((a, b) => a - b);
  let held = 0;
  for (let i = 1; i < times.length; i++) {
    const [from, until] = [times[i - 1]!, times[i]!];
    if (trades.some((one) => one.from <= from && (one.until ?? endTime) >= until)) {
      held += until - from;
    }
  }
  return held / (endTime - startTime);
}

export { naiveDrawdowns };
