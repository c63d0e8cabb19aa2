/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const secrets = {
  station: 'env',
  rows: [
    [
      'withoutSecrets.ts',
      'a password is shown as it is written in its address',
      '[text, href, password, decode(password), ...path]',
      '[text, href, decode(password), ...path]',
    ],
    [
      'withoutSecrets.ts',
      'the path of a hook is shown without its query',
      '[pathname + search, pathname]',
      '[pathname + search]',
    ],
  ],
} as const;

export const redaction = {
  station: 'operate/notify',
  rows: [
    [
      'createRedaction.ts',
      'secrets of a list are not looked for',
      'else for (const part of Object.values(value)) look(part);',
      'else if (!Array.isArray(value)) for (const part of Object.values(value)) look(part);',
    ],
  ],
} as const;
