import type { TimedValue } from '../../src/statistics/index.ts';

const DAY = 86_400_000;

/** The ratios of an equity curve, literally from their definitions: slow, and without shared code. */
export function naiveRatios(curve: readonly TimedValue[], capital: number) {
  const [from, until] = [curve[0]![0], curve.at(-1)![0]];
  const equity: number[] = [];
  for (let midnight = 0; midnight <= until; midnight += DAY) {
    if (midnight < from) continue;
    let last = NaN;
    for (const [time, pnl] of curve) if (time <= midnight) last = capital + pnl;
    equity.push(last);
  }
  const days = equity.length - 1;
  const returns: number[] = [];
  for (let day = 1; day <= days; day++) {
    returns.push((equity[day]! - equity[day - 1]!) / equity[day - 1]!);
  }
  let mean = 0;
  for (const each of returns) mean += each / days;
  let variance = 0;
  for (const each of returns) variance += (each - mean) ** 2 / (days - 1);
  let downside = 0;
  for (const each of returns) if (each < 0) downside += each ** 2 / days;
  let fall = 0;
  for (let peak = 0; peak <= days; peak++) {
    for (let low = peak; low <= days; low++) {
      fall = Math.max(fall, (equity[peak]! - equity[low]!) / equity[peak]!);
    }
  }
  const cagr = Math.exp(Math.log(equity[days]! / equity[0]!) / (days / 365)) - 1;
  return {
    days,
    sharpe: (mean / Math.sqrt(variance)) * Math.sqrt(365),
    sortino: (mean / Math.sqrt(downside)) * Math.sqrt(365),
    volatility: Math.sqrt(variance) * Math.sqrt(365),
    cagr,
    calmar: cagr / fall,
  };
}
