export const contract = {
  station: 'contract',
  rows: [
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
      'validation.ts',
      'a fault names no value',
      'return issueText(issue, input);',
      'return issue.message;',
    ],
  ],
} as const;
