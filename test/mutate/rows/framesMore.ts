/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const frames = {
  station: 'frames',
  rows: [
    [
      'decodeFrame.ts',
      'null is an envelope',
      "if (typeof json !== 'object' || json === null) return fault",
      "if (typeof json !== 'object') return fault",
    ],
    ['decodeFrame.ts', 'null is a frame’s parameters', 'params === null || ', ''],
    [
      'decodeFrame.ts',
      'a control frame’s fields are not checked',
      "if (path !== null) return fault('bad_envelope', path, text);\n    return { ok: true, frame: { kind: type",
      'return { ok: true, frame: { kind: type',
    ],
    [
      'compileCheck.ts',
      'a record of a list is taken',
      "if (!isMap(value)) return '';\n    for (const key",
      "if (!isMap(value) && !Array.isArray(value)) return '';\n    for (const key",
    ],
    [
      'compileCheck.ts',
      'a tuple’s last part is not checked',
      'for (let index = 0; index < checks.length; index++) {',
      'for (let index = 0; index < checks.length - 1; index++) {',
    ],
    [
      'compileCheck.ts',
      'only own of a record’s values are the first',
      'if (fault !== null) return join(key, fault);\n    }\n    return null;\n  };\n}\n\nfunction checkObject',
      'return fault === null ? null : join(key, fault);\n    }\n    return null;\n  };\n}\n\nfunction checkObject',
    ],
    [
      'compileCheck.ts',
      'a fault’s place is the key alone',
      "rest === '' ? String(key) : `${key}.${rest}`",
      'String(key)',
    ],
    [
      'isChannelFrame.ts',
      'every event is known',
      'return channelCheck(frame.channel, frame.event) !== undefined;',
      'return channelCheck(frame.channel, frame.event) !== null;',
    ],
  ],
} as const;
