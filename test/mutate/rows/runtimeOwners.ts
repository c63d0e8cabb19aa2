/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const runtime = {
  station: 'runtime',
  rows: [
    [
      'createBooks.ts',
      'a close is reserved for the first wallet only',
      'closeWeight * wallets.reduce(',
      'closeWeight * wallets.slice(0, 1).reduce(',
    ],
  ],
} as const;

export const wallet = {
  station: 'runtime/wallet',
  rows: [
    [
      'createReferences.ts',
      'a price is read no more once one of the wallets is without it',
      'const key = `${wallet} ${symbol}`;',
      'const key = symbol;',
    ],
  ],
} as const;

export const record = {
  station: 'runtime/record',
  rows: [
    [
      'createOriginLog.ts',
      'what is triggered on a wallet makes what another fills',
      'let ofWallet = markets.get(wallet);',
      'let ofWallet = markets.get(wallet) ?? [...markets.values()][0];',
    ],
  ],
} as const;

export const members = {
  station: 'runtime/members',
  rows: [
    [
      'createStrangers.ts',
      'a fill of before the snapshot that shows none is a strategy’s',
      'time <= (goneAt.get(symbol)',
      'time < (goneAt.get(symbol)',
    ],
    [
      'createStrangers.ts',
      'the fills of a stranger are as if it had none',
      "addSize(held, side === 'buy' ? size : -size);",
      'addSize(held, 0);',
    ],
    [
      'followWallet.ts',
      'a position of another’s is adopted',
      'if (views.manages(wallet, symbol)) owner',
      'if (symbol !== undefined) owner',
    ],
  ],
} as const;

export const control = {
  station: 'runtime/control',
  rows: [
    [
      'createOwners.ts',
      'what was closed since goes to the first strategy alone',
      'const own = plan.strategies.filter(',
      'const own = plan.strategies.slice(0, 1).filter(',
    ],
    [
      'createOwners.ts',
      'of several positions without an owner a level ends one',
      '      unowned.of(wallet).flatMap(',
      '      [...unowned.of(wallet)].slice(0, 1).flatMap(',
    ],
  ],
} as const;
