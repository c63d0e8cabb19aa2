import { createRandom, type Random } from '../../src/env/index.ts';
import type { TimedValue } from '../../src/statistics/index.ts';
import type {
  ReportCandles,
  ReportData,
  ReportExecution,
  ReportFill,
  ReportIntent,
  ReportLevel,
  ReportPlot,
  ReportStrategy,
  RunFigures,
} from '../../src/operate/report/ReportData.ts';

const START = 1_735_689_600_000;
const MINUTE = 60_000;

/** A run of the demo's size: 10,500 one-minute bars of two symbols, three strategies, some hundred trades. */
export function sampleReport(bars = 10_500): ReportData {
  const random = createRandom(7);
  const symbols = { BTC: walk(random, bars, 61_000, 1), ETH: walk(random, bars, 3_300, 2) };
  const plans = [
    { name: 'trend', symbol: 'ETH', wallet: 'main', hold: 90, pause: 160, size: 3, slices: 5 },
    { name: 'reversion', symbol: 'BTC', wallet: 'main', hold: 25, pause: 70, size: 0.2, slices: 1 },
    {
      name: 'breakout',
      symbol: 'BTC',
      wallet: 'second',
      hold: 140,
      pause: 420,
      size: 0.3,
      slices: 1,
    },
  ] as const;
  const runs = plans.map((plan) => trade(random, plan, symbols[plan.symbol]));
  const strategies = runs.map(({ strategy }) => strategy);
  const totals = strategies.reduce<RunFigures>(addFigures, noFigures());
  return {
    title: 'demo',
    generatedFrom: 'configs/demo.yaml',
    startTime: START,
    endTime: START + bars * MINUTE,
    strategies,
    symbols,
    fills: runs.flatMap(({ fills }) => fills).toSorted((a, b) => a.time - b.time),
    executions: runs.flatMap(({ executions }) => executions),
    intents: runs.flatMap(({ intents }) => intents),
    plots: sampleReportPlots(symbols),
    levels: runs.flatMap(({ levels }) => levels),
    totals: {
      ...totals,
      start_equity: 75_000,
      end_equity: 75_000 + totals.pnl,
      rate_limited: 0,
      uncovered: { total_seconds: 5_400, longest_seconds: 600 },
    },
    budget: {
      spent: { control: 5, exit: 40, lookup: 0, entry: 140, read: 15 },
      peak: 90,
      allowance: 360,
    },
    delays: [{ cause: 'budget (entry)', count: 3 }],
    assumptions: [
      'Fills follow the path open, nearer extreme, farther extreme, close inside each bar; a touch alone does not fill.',
      'Fees: maker 1.5 bps, taker 4.5 bps, and the service’s 0.80 bps.',
    ],
    hash: '5f0c2b7d9a1e4c63b8f70d2e6a915c3847bd0e2f1a6c9d58e34b7f0a2c6d9e15',
  };
}

function walk(random: Random, bars: number, start: number, decimals: number): ReportCandles {
  const round = (value: number) => Number(value.toFixed(decimals));
  const columns = { time: [], open: [], high: [], low: [], close: [], volume: [] } as Record<
    string,
    number[]
  >;
  let price = start;
  let volatility = 0.0006;
  for (let index = 0; index < bars; index += 1) {
    volatility = Math.max(0.0002, volatility * (0.97 + random.next() * 0.06));
    const open = price;
    const close = open * (1 + (random.next() - 0.498) * 2 * volatility);
    const spread = open * volatility * random.next();
    columns.time!.push(START + index * MINUTE);
    columns.open!.push(round(open));
    columns.close!.push(round(close));
    columns.high!.push(round(Math.max(open, close) + spread));
    columns.low!.push(round(Math.min(open, close) - spread));
    columns.volume!.push(volumeOf(index, decimals));
    price = close;
  }
  return { interval: '1m', ...columns } as unknown as ReportCandles;
}

/** Waves, with a bar in which nothing was traded now and then; without the seed, which draws everything else. */
function volumeOf(index: number, decimals: number): number {
  if (index % 97 === 0) return 0;
  return Math.round((30 + 25 * Math.sin(index / 37) + (index % 11)) * 10 ** decimals) / 10;
}

/** An average on the candles, a band of two lines, and two values in panes below. */
function sampleReportPlots({ BTC: bars }: { BTC: ReportCandles }): ReportPlot[] {
  const times = Array.from(bars.time, (time) => time + MINUTE);
  const closes = Array.from(bars.close);
  const mean = closes.map((_, at) => {
    const window = closes.slice(Math.max(0, at - 19), at + 1);
    return window.reduce((sum, value) => sum + value, 0) / window.length;
  });
  const line = (name: string, group: string, values: number[], pane?: string): ReportPlot => ({
    strategy: 'breakout',
    symbol: 'BTC',
    interval: '1m',
    times,
    name,
    group,
    values,
    ...(pane === undefined ? {} : { pane }),
  });
  const wide = (share: number): number[] => mean.map((value) => value * (1 + share));
  const force = closes.map((close, at) => (close / mean[at]! - 1) * 10_000);
  return [
    line('mean sma(20)', 'mean sma(20)', mean),
    line('bands upper', 'bands', wide(0.002)),
    line('bands lower', 'bands', wide(-0.002)),
    line('force', 'force', force, 'force'),
    line(
      'macd line',
      'macd',
      force.map((value) => value / 2),
      'macd',
    ),
    line(
      'macd signal',
      'macd',
      force.map((value) => value / 3),
      'macd',
    ),
  ];
}

interface Plan {
  name: string;
  symbol: string;
  wallet: string;
  hold: number;
  pause: number;
  size: number;
  slices: number;
}

function trade(random: Random, plan: Plan, bars: ReportCandles) {
  const fills: ReportFill[] = [];
  const executions: ReportExecution[] = [];
  const intents: ReportIntent[] = [];
  const levels: ReportLevel[] = [];
  const equity: TimedValue[] = [];
  let [cash, held, opened, fees, funding] = [0, 0, 0, 0, 0];
  for (let index = 0; index < bars.time.length; index += 1) {
    const time = bars.time[index]!;
    const price = bars.close[index]!;
    const due =
      held === 0
        ? random.next() < 1 / plan.pause
        : index - opened > plan.hold * (0.5 + random.next());
    if (due && index < bars.time.length - 20) {
      const side = held === 0 ? (random.next() < 0.6 ? 'buy' : 'sell') : held > 0 ? 'sell' : 'buy';
      const direction = side === 'buy' ? 1 : -1;
      const executionId = `exe_${executions.length + 1}`;
      const slices = held === 0 ? plan.slices : 1;
      const size = plan.size / slices;
      for (let slice = 0; slice < slices; slice += 1) {
        const fee = price * size * 0.00053;
        const at = { time: time + 30_000 + slice * MINUTE, price: bars.close[index + slice]! };
        fills.push({
          ...at,
          symbol: plan.symbol,
          side,
          size,
          fee,
          strategy: plan.name,
          liquidity: slices > 1 ? 'maker' : 'taker',
          execution_id: executionId,
          ...originOf(index, held === 0),
        });
        cash -= direction * at.price * size + fee;
        fees += fee;
      }
      if (held === 0) levels.push(...sampleLevels(plan, time, price, direction));
      else
        for (const level of levels.slice(-2))
          Object.assign(level, { end_time: time, end: 'retired' });
      if (held === 0) opened = index;
      held = held === 0 ? direction * plan.size : 0;
      executions.push({
        execution_id: executionId,
        algo: 'pacemaker',
        symbol: plan.symbol,
        side,
        strategy: plan.name,
        status: 'completed',
        reason: 'filled',
        total_size: plan.size,
        filled_size: plan.size,
        average_price: price * (1 + direction * 0.0001),
        arrival_price: price,
        fees: 1,
        start_time: time,
        end_time: time + 5 * MINUTE,
      });
      intents.push({
        time,
        strategy: plan.name,
        kind: 'launch',
        symbol: plan.symbol,
        outcome: 'accepted',
      });
    } else if (random.next() < 0.001) {
      intents.push({
        time,
        strategy: plan.name,
        kind: 'place_order',
        symbol: plan.symbol,
        outcome: 'denied',
        reason: 'max_order_notional <b>30,000</b> & more',
      });
    }
    if (index % 60 === 59) {
      const paid = held * price * 0.0000125;
      cash -= paid;
      funding += paid;
    }
    equity.push([time + MINUTE, cash + held * price]);
  }
  const denied = intents.filter(({ outcome }) => outcome === 'denied').length;
  const strategy: ReportStrategy = {
    name: plan.name,
    plugin: `../strategies/${plan.name}.ts`,
    symbols: [plan.symbol],
    wallet: plan.wallet,
    equity,
    ...noFigures(),
    intents: {
      ...noFigures().intents,
      emitted: intents.length,
      accepted: intents.length - denied,
      denied,
    },
    fills: fills.length,
    fees,
    funding,
    pnl: equity.at(-1)![1],
    max_drawdown: 400,
    max_drawdown_share: 0.008,
  };
  return { strategy, fills, executions, intents, levels };
}

/** Two setups, and exits of each kind; without the seed, which draws everything else. */
function originOf(index: number, isEntry: boolean): Pick<ReportFill, 'cause' | 'tag'> {
  if (isEntry) return { cause: 'signal', tag: index % 3 === 0 ? 'pullback' : 'breakout' };
  const cause = ['signal', 'trailing stop', 'take profit', 'liquidation'][index % 4]!;
  return cause === 'signal' ? { cause, tag: 'exit' } : { cause };
}

/** A stop that trails twice, and a target. */
function sampleLevels(plan: Plan, time: number, price: number, direction: number): ReportLevel[] {
  const { name: strategy, symbol } = plan;
  const at = (share: number): number => price * (1 + direction * share);
  const times = [0, 5, 10].map((minutes) => time + minutes * MINUTE);
  const prices = [at(-0.003), at(-0.002), at(-0.001)];
  return [
    { strategy, symbol, kind: 'trailing stop', times, prices },
    { strategy, symbol, kind: 'target', times: [time], prices: [at(0.004)] },
  ];
}

export function noFigures(): RunFigures {
  const intents = { emitted: 0, denied: 0, accepted: 0, rejected: 0, unknown: 0, expired: 0 };
  return { intents, fills: 0, fees: 0, funding: 0, pnl: 0, max_drawdown: 0, max_drawdown_share: 0 };
}

function addFigures(total: RunFigures, row: RunFigures): RunFigures {
  const names = Object.keys(total.intents) as (keyof RunFigures['intents'])[];
  const intents = Object.fromEntries(
    names.map((name) => [name, total.intents[name] + row.intents[name]]),
  );
  return {
    intents: intents as unknown as RunFigures['intents'],
    fills: total.fills + row.fills,
    fees: total.fees + row.fees,
    funding: (total.funding ?? 0) + (row.funding ?? 0),
    pnl: total.pnl + row.pnl,
    max_drawdown: total.max_drawdown + row.max_drawdown,
    max_drawdown_share: Math.max(total.max_drawdown_share, row.max_drawdown_share),
  };
}
