/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const config = {
  station: 'config',
  rows: [
    [
      'resolveOperate.ts',
      'a token just long enough is refused',
      'found.text.length >= LEAST_TOKEN',
      'found.text.length > LEAST_TOKEN',
    ],
    ['resolveOperate.ts', 'a token with a blank is one', '&& SENDABLE.test(found.text)', ''],
    [
      'resolveOperate.ts',
      'one token for both is accepted',
      'if (controlToken !== null && readable?.reveal() === controlToken.reveal()) {',
      'if (controlToken === null && readable === null && findings.length < 0) {',
    ],
    [
      'resolveOperate.ts',
      'other machines are served with one token',
      "(['read_token', 'control_token'] as const).filter",
      "(['read_token'] as const).filter",
    ],
    [
      'resolveOperate.ts',
      'other machines are served without TLS',
      "...(settings.tls_in_front ? [] : ['tls_in_front: true'])",
      '',
    ],
    [
      'resolveOperate.ts',
      'a socket is relative to the working directory',
      '{ socket: resolve(directory, address.socket) }',
      '{ socket: resolve(address.socket) }',
    ],
    [
      'resolveOperate.ts',
      'a fault of an alert hides that of a token',
      "if ('findings' in notify) findings.push(...notify.findings);",
      "if ('findings' in notify) return notify;",
    ],
  ],
} as const;
