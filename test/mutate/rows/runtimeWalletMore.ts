/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const wallet = {
  station: 'runtime/wallet',
  rows: [
    [
      'madeOf.ts',
      'only the first leg of a basket is made',
      'return legs.flatMap((leg, at) =>',
      'return legs.slice(0, 1).flatMap((leg, at) =>',
    ],
    [
      'madeOf.ts',
      'each leg of a basket has the request of the first',
      'intent.request.legs?.[at] ?? {}',
      'intent.request.legs?.[0 * at] ?? {}',
    ],
    [
      'madeOf.ts',
      'an answer’s null replaces what was asked',
      '.filter(([, value]) => value != null)',
      '.filter(([, value]) => value !== undefined)',
    ],
    [
      'madeOf.ts',
      'what an answer leaves out has ended',
      'if (reported != null || !this.isNew) return reported ?? undefined;',
      'return reported ?? undefined;',
    ],
    [
      'madeOf.ts',
      'a changed order is a new one',
      'const isNew = asked !== undefined;',
      'const isNew = asked !== null;',
    ],
    [
      'madeOf.ts',
      'the request is more than the answer',
      '{ ...ASSUMED[this.kind], ...this.#asked, ...reported }',
      '{ ...ASSUMED[this.kind], ...reported, ...this.#asked }',
    ],
    [
      'madeOf.ts',
      'an order of unknown terms only reduces',
      "order: { status: 'open', reduce_only: false",
      "order: { status: 'open', reduce_only: true",
    ],
  ],
} as const;
