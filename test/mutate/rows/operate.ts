/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const operate = {
  station: 'operate',
  rows: [
    [
      'createLogFile.ts',
      'a full file that can’t be ended loses every line from then on',
      'if (failedAt === undefined) options.onOversized(reasonOf(error));\n      failedAt = now;',
      'throw error;',
    ],
    [
      'createLogFile.ts',
      'a full file is tried to be ended with each line',
      'if (failedAt !== undefined && Math.abs(now - failedAt) < RETRY_MS) return;',
      '',
    ],
    [
      'createLogFile.ts',
      'a file of an earlier process begins with this one',
      'found.size === 0 ? clock.wallNow() : found.birthtimeMs || found.mtimeMs',
      'clock.wallNow()',
    ],
    [
      'createPinoLog.ts',
      'a secret in a message is shown at the level debug',
      'logger()[level](safe(fields), hide(message))',
      "logger()[level](safe(fields), level === 'debug' ? message : hide(message))",
    ],
    [
      'createPinoLog.ts',
      'a child’s fields are not looked through',
      'logger().child(safe(fields))',
      'logger().child({ ...fields })',
    ],
    [
      'createPinoLog.ts',
      'a line is cut before its secrets are hidden',
      'return withoutSecrets(text).slice(0, LONGEST);',
      'return withoutSecrets(text.slice(0, LONGEST));',
    ],
    [
      'createPinoLog.ts',
      'an object is logged with all that is in it',
      "return '[omitted]';",
      'return value;',
    ],
    [
      'createPinoLog.ts',
      'a name in capitals hides nothing',
      '/secret|signature|password|passphrase|authorization/i',
      '/secret|signature|password|passphrase|authorization/',
    ],
    [
      'notify/createRedaction.ts',
      'a secret in a list is not found',
      'else for (const part of Object.values(value)) look(part);',
      'else if (!Array.isArray(value)) for (const part of Object.values(value)) look(part);',
    ],
  ],
} as const;
