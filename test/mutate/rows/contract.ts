export const contract = {
  station: 'contract',
  rows: [
    ['marketRequests.ts', 'two of a batch may have one id', '    ids.add(id);\n', ''],
    [
      'bounds.ts',
      'a distance near its bound is compared in binary',
      'if (!(Math.abs(beyond) < CLOSE * Math.abs(from))) return Math.sign(beyond);',
      'if (beyond === beyond) return Math.sign(beyond);',
    ],
    [
      'bounds.ts',
      'a distance below is none',
      '(moved < 0n ? -moved : moved)',
      '(moved < 0n ? 0n : moved)',
    ],
    [
      'bounds.ts',
      'an offset price is computed in binary',
      'if (!Number.isFinite(price) || !Number.isFinite(by)) return',
      'if (by !== 0) return',
    ],
    [
      'bounds.ts',
      'an amount is above its limit by its rounding errors',
      'value <= limit || value - limit <= DUST * Math.abs(limit)',
      'value <= limit',
    ],
    [
      'showValue.ts',
      'an address with a password is shown',
      'const SECRET_TEXT = /vs_|:\\/\\/[^/]*@/;',
      'const SECRET_TEXT = /vs_/;',
    ],
    [
      'showValue.ts',
      'a key of the service is shown',
      'const SECRET_TEXT = /vs_|:\\/\\/[^/]*@/;',
      'const SECRET_TEXT = /:\\/\\/[^/]*@/;',
    ],
    [
      'showValue.ts',
      'a kind that the message names is said twice',
      "value == null || (typeof value === 'number' && !Number.isFinite(value))",
      'value === undefined',
    ],
    [
      'showValue.ts',
      'a nested value is not shown',
      '(outer as Record<PropertyKey, unknown> | null | undefined)?.[key]',
      '(input as Record<PropertyKey, unknown> | null | undefined)?.[key]',
    ],
    [
      'signedSize.ts',
      'a short is taken for a long',
      "position.side === 'short' ? -position.size : position.size",
      'position.size',
    ],
    [
      'vocabulary.ts',
      'an expired order rests',
      "['filled', 'cancelled', 'rejected', 'expired']",
      "['filled', 'cancelled', 'rejected']",
    ],
    [
      'vocabulary.ts',
      'a rejected order is open',
      "['filled', 'cancelled', 'rejected', 'expired']",
      "['filled', 'cancelled', 'expired']",
    ],
    [
      'isMonitorOver.ts',
      'a monitor that arms itself again is over once it fired',
      "if (status === 'fired') return !rearm;",
      "if (status === 'fired') return true;",
    ],
    [
      'validation.ts',
      'a fault names no value',
      'return issueText(issue, input);',
      'return issue.message;',
    ],
  ],
} as const;
