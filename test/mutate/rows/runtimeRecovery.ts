/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const runtimeRecovery = {
  station: 'runtime/recovery',
  rows: [
    [
      'createLookUp.ts',
      'a launch is missing if the first page lacks it',
      "if (cursor === null) return { kind: 'missing' };",
      "return { kind: 'missing' };",
    ],
    [
      'createLookUp.ts',
      'a list of too many pages proves absence',
      "return { kind: 'unclear' };\n  }\n\n  return async",
      "return { kind: 'missing' };\n  }\n\n  return async",
    ],
    [
      'createLookUp.ts',
      'the second page is asked for as the first',
      '...(cursor === null ? {} : { cursor }) };',
      '...(cursor === null || count > 1 ? {} : { cursor }) };',
    ],
    [
      'createLookUp.ts',
      'a page that can’t be read proves absence',
      "if (found?.status !== 200) return { kind: 'unclear' };",
      "if (found?.status !== 200) return { kind: 'missing' };",
    ],
  ],
} as const;
