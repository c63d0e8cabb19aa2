/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const runtimeWallet = {
  station: 'runtime/wallet',
  rows: [
    [
      'catchUpFills.ts',
      'after an outage only the first page of fills is read',
      'cursor = next.next_cursor ?? undefined;',
      'cursor = undefined;',
    ],
    [
      'catchUpFills.ts',
      'fills are read without an overlap',
      'Math.floor(since) - OVERLAP_MS',
      'Math.floor(since)',
    ],
    ['catchUpFills.ts', 'fills are given newest first', 'a.time - b.time', 'b.time - a.time'],
    [
      'catchUpFills.ts',
      'fills are read of the default wallet',
      "        body: '',\n        wallet,",
      "        body: '',",
    ],
    [
      'readWork.ts',
      'only the first page of what works is read',
      'cursor = next.value.next_cursor;',
      'cursor = null;',
    ],
    [
      'readWork.ts',
      'executions that are interrupted are not read',
      'LIVE.map((status) => list',
      "LIVE.filter((one) => one !== 'interrupted').map((status) => list",
    ],
    [
      'readWork.ts',
      'a list is read of the default wallet',
      "const request = { pathParams: {}, query: {}, body: '', wallet, ...asked };",
      "const request = { pathParams: {}, query: {}, body: '', wallet: 'main', ...asked };",
    ],
  ],
} as const;
