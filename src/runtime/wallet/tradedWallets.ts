/** Wallets that strategies trade on, each once, in the strategies' order. */
export function tradedWallets(strategies: ReadonlyArray<{ wallet: string }>): string[] {
  return [...new Set(strategies.map(({ wallet }) => wallet))];
}
