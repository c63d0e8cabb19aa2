import type { Finding } from './Finding.ts';
import { walletOf } from './wallets.ts';

interface Sharer {
  wallet?: string | undefined;
  capital_share?: number | undefined;
}

/** Sums of shares such as 0.1 + 0.2 + 0.7 miss 1 by some 1e-16. */
const TOLERANCE = 1e-9;

/** Each strategy's share of its wallet: its setting, else an equal part of what the others leave. */
export function capitalShares(strategies: readonly Sharer[]): number[] {
  return strategies.map((strategy) => {
    if (strategy.capital_share !== undefined) return strategy.capital_share;
    const sharers = strategies.filter((other) => walletOf(other) === walletOf(strategy));
    const silent = sharers.filter((other) => other.capital_share === undefined);
    return Math.max(0, 1 - given(sharers)) / silent.length;
  });
}

function given(sharers: readonly Sharer[]): number {
  return sharers.reduce((sum, { capital_share }) => sum + (capital_share ?? 0), 0);
}

export function shareFindings(strategies: readonly Sharer[]): Finding[] {
  const shares = capitalShares(strategies);
  return strategies.flatMap((strategy, index) => {
    const before = strategies
      .slice(0, index + 1)
      .filter((other) => walletOf(other) === walletOf(strategy));
    const path = ['strategies', index, 'capital_share'];
    const passes = given(before) > 1 + TOLERANCE && strategy.capital_share !== undefined;
    if (passes) {
      const reason = `the shares of wallet ${walletOf(strategy)} add up to ${round(given(before))}, more than 1`;
      return [
        {
          code: 'TRIMTAB_CONFIG_CAPITAL_SHARES',
          path,
          reason,
          remedy: 'Make them add up to 1 at most.',
        },
      ];
    }
    if (shares[index]! > TOLERANCE) return [];
    const reason = `the other strategies leave nothing of wallet ${walletOf(strategy)}`;
    return [
      {
        code: 'TRIMTAB_CONFIG_CAPITAL_SHARES',
        path,
        reason,
        remedy: 'Give it a share, and the others less.',
      },
    ];
  });
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
