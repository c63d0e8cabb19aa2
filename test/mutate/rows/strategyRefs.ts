/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const strategy = {
  station: 'strategy',
  rows: [
    ['refs/RefState.ts', 'what has ended works again', 'if (byEnd !== 0) return byEnd > 0;', ''],
    [
      'refs/RefState.ts',
      'what was filled is taken back',
      'if (next.filled_size !== known.filled_size) return next.filled_size > known.filled_size;',
      '',
    ],
    [
      'refs/RefState.ts',
      'an older frame replaces a newer one',
      'if (next.updated_time !== known.updated_time) return next.updated_time > known.updated_time;',
      '',
    ],
    [
      'refs/RefState.ts',
      'a fill that comes twice counts twice',
      '      if (parts.fills.has(news.fill.fill_id)) return false;\n      parts.fills.set(news.fill.fill_id, news.fill);',
      '      parts.fills.set(`${news.fill.fill_id}${parts.fills.size}`, news.fill);',
    ],
    [
      'refs/RefState.ts',
      'of fills and record the record counts',
      'const filled = counted - reported > ROUNDING * counted ? counted : reported;',
      'const filled = reported;',
    ],
    [
      'refs/RefState.ts',
      'of fills and record the fills count',
      'const filled = counted - reported > ROUNDING * counted ? counted : reported;',
      'const filled = counted;',
    ],
    [
      'refs/RefState.ts',
      'a basket has ended with its first leg',
      'shown.length >= (legs ?? 1) &&',
      'shown.length >= 1 &&',
    ],
    [
      'refs/RefState.ts',
      'one leg that ended ends a basket',
      'shown.every(({ status, execution_id: id })',
      'shown.some(({ status, execution_id: id })',
    ],
    [
      'refs/RefState.ts',
      'a duplicate outcome replaces the first',
      "if (parts.outcome !== undefined && news.outcome.state === 'duplicate') return false;",
      '',
    ],
    [
      'refs/RefState.ts',
      'an unknown intent has ended',
      "'expired',\n  'absent',\n];\nconst SETTLED",
      "'expired',\n  'absent',\n  'unknown',\n];\nconst SETTLED",
    ],
    [
      'refs/RefState.ts',
      'an order that was filled elsewhere is open for ever',
      'if (isFilled || NEVER_SENT.includes(outcome?.state)) return true;',
      'if (NEVER_SENT.includes(outcome?.state)) return true;',
    ],
    [
      'refs/RefState.ts',
      'the size of a basket is what is shown so far',
      'Math.max(asked, shown)',
      'shown',
    ],
    [
      'refs/RefState.ts',
      'an accepted launch without its record is nothing to wait for',
      "return outcome?.state === 'accepted' && MAKERS.includes(outcome.intent.kind);",
      'return false;',
    ],
    [
      'refs/RefState.ts',
      'the newest fill is first',
      'a.time - b.time || (a.fill_id',
      'b.time - a.time || (a.fill_id',
    ],
    [
      'createState.ts',
      'a state is written as it was given, not as the schema makes it',
      'store.write({ version, state: parsed.data });',
      'store.write({ version, state: next as never });',
    ],
    [
      'createState.ts',
      'a state is written before it is checked',
      '      beforeWrite(opened.definition);\n      const parsed = schema.safeParse(next);',
      '      store.write({ version, state: next as never });\n      beforeWrite(opened.definition);\n      const parsed = schema.safeParse(next);',
    ],
    [
      'createState.ts',
      'a state in warm-up is written',
      '      beforeWrite(opened.definition);\n',
      '',
    ],
  ],
} as const;
