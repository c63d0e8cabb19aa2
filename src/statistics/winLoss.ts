import { areReturns, finite, mean, quotient, sum } from './numbers.ts';
import { tailRatio } from './tails.ts';

/**
 * Gains against losses of returns, or of trades' results. Each is null if it is not defined, or if a value is missing.
 */

const gains = (values: readonly number[]): number[] => values.filter((value) => value > 0);
const losses = (values: readonly number[]): number[] => values.filter((value) => value < 0);

/** Sum of the returns above zero over that below, without its sign: quantstats `stats.omega` with a threshold of 0. */
export function omegaRatio(returns: readonly number[]): number | null {
  if (!areReturns(returns) || returns.length < 2) return null;
  return quotient(sum(gains(returns)), -sum(losses(returns)));
}

/** Sum of all returns over that of the losses, without its sign: quantstats `stats.gain_to_pain_ratio`. */
export function gainToPain(returns: readonly number[]): number | null {
  if (!areReturns(returns)) return null;
  return quotient(sum(returns), -sum(losses(returns)));
}

/** Share of the values above zero in those that are not zero: quantstats `stats.win_rate`. */
export function winRate(values: readonly number[]): number | null {
  if (!areReturns(values)) return null;
  return quotient(gains(values).length, values.filter((value) => value !== 0).length);
}

/** Mean of the values above zero: quantstats `stats.avg_win`. */
export function averageWin(values: readonly number[]): number | null {
  return areReturns(values) ? finite(mean(gains(values))) : null;
}

/** Mean of the values below zero: quantstats `stats.avg_loss`. */
export function averageLoss(values: readonly number[]): number | null {
  return areReturns(values) ? finite(mean(losses(values))) : null;
}

/** Average win over average loss, without its sign: quantstats `stats.payoff_ratio`. */
export function payoffRatio(values: readonly number[]): number | null {
  const [win, loss] = [averageWin(values), averageLoss(values)];
  return win === null || loss === null ? null : quotient(win, -loss);
}

/** Sum of the gains over that of the losses, without its sign: quantstats `stats.profit_factor`. */
export function profitFactor(values: readonly number[]): number | null {
  return areReturns(values) ? quotient(sum(gains(values)), -sum(losses(values))) : null;
}

/** (payoff × win rate − loss rate) / payoff: quantstats `stats.kelly_criterion`. */
export function kellyShare(values: readonly number[]): number | null {
  const [payoff, won] = [payoffRatio(values), winRate(values)];
  if (payoff === null || won === null) return null;
  return quotient(payoff * won - (1 - won), payoff);
}

/** ((1 − win rate) / (1 + win rate)) to the power of the number of values: quantstats `stats.risk_of_ruin`. */
export function riskOfRuin(values: readonly number[]): number | null {
  const won = winRate(values);
  return won === null ? null : ((1 - won) / (1 + won)) ** values.length;
}

/** Profit factor × win rate × payoff: quantstats `stats.cpc_index`. */
export function cpcIndex(values: readonly number[]): number | null {
  return product(profitFactor(values), winRate(values), payoffRatio(values));
}

/** Profit factor × tail ratio: quantstats `stats.common_sense_ratio`. */
export function commonSenseRatio(values: readonly number[]): number | null {
  return product(profitFactor(values), tailRatio(values));
}

/** Win rate × average win − loss rate × average loss: expectancy as Lean and freqtrade have it, in the values' unit. */
export function expectancy(values: readonly number[]): number | null {
  return areReturns(values) ? mean(values) : null;
}

/** Longest run of values above zero (`sign` 1) or below (−1): quantstats `stats.consecutive_wins`, `…_losses`. */
export function longestStreak(values: readonly number[], sign: 1 | -1): number {
  let [longest, streak] = [0, 0];
  for (const value of values) {
    streak = value * sign > 0 ? streak + 1 : 0;
    longest = Math.max(longest, streak);
  }
  return longest;
}

function product(...factors: readonly (number | null)[]): number | null {
  let result = 1;
  for (const factor of factors) {
    if (factor === null) return null;
    result *= factor;
  }
  return finite(result);
}
