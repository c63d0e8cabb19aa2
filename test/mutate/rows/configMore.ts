/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const config = {
  station: 'config',
  rows: [
    [
      'capitalShares.ts',
      'strategies of all wallets share one',
      '(other) => walletOf(other) === walletOf(strategy));\n    const silent',
      '() => true);\n    const silent',
    ],
    [
      'capitalShares.ts',
      'a share that is given is left to the others again',
      'Math.max(0, 1 - given(sharers)) / silent.length',
      '1 / silent.length',
    ],
    [
      'capitalShares.ts',
      'shares beyond the whole make one below zero',
      'Math.max(0, 1 - given(sharers))',
      '(1 - given(sharers))',
    ],
    [
      'capitalShares.ts',
      'shares of just the whole are refused',
      'given(before) > 1 + TOLERANCE',
      'given(before) >= 1 - TOLERANCE',
    ],
    [
      'capitalShares.ts',
      'a strategy without capital is accepted',
      'if (shares[index]! > TOLERANCE) return [];',
      'return [];',
    ],
    [
      'literalSecrets.ts',
      'a literal secret of the watchdog is a wrong shape alone',
      "  watchdog: ['secret'],\n",
      '',
    ],
  ],
} as const;
