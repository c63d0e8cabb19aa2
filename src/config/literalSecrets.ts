import type { Finding } from './Finding.ts';

/** An API secret, by the prefix that the spec gives it (§2.1). */
const LOOKS_SECRET = /vs_[A-Za-z0-9]/;

/** Values that are always secret, by section. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  link: ['secret'],
  watchdog: ['secret'],
  operate: ['read_token', 'control_token'],
};

/**
 * A secret in the file itself, anywhere in a section that refers to one. It counts as published: the remedy
 * is to replace it, and no message repeats it.
 */
export function literalSecrets(value: unknown): Finding[] {
  return [...literalsOfSections(value), ...literalsOfNotify(value)];
}

/** An address or a token of a channel; who knows it can write to those who watch over the bot. */
function literalsOfNotify(value: unknown): Finding[] {
  const channels = field(field(value, 'operate'), 'notify');
  if (!Array.isArray(channels)) return [];
  return channels.flatMap((channel: unknown, index) =>
    ['url', 'token'].flatMap((name) => {
      const held = field(channel, name);
      const isLiteral = typeof held === 'string' || typeof held === 'number';
      return isLiteral ? [{ path: ['operate', 'notify', index, name], ...REFUSED }] : [];
    }),
  );
}

function literalsOfSections(value: unknown): Finding[] {
  return Object.entries(SECRETS).flatMap(([section, secrets]) => {
    const settings = field(value, section);
    if (typeof settings !== 'object' || settings === null) return [];
    return Object.entries(settings).flatMap(([key, held]) => {
      const texts = typeof held === 'object' && held !== null ? Object.values(held) : [held];
      const isLiteral =
        secrets.includes(key) && (typeof held === 'string' || typeof held === 'number');
      const isFound =
        isLiteral || texts.some((text) => typeof text === 'string' && LOOKS_SECRET.test(text));
      return isFound ? [{ path: [section, key], ...REFUSED }] : [];
    });
  });
}

const REFUSED = {
  code: 'TRIMTAB_CONFIG_LITERAL_SECRET' as const,
  reason: 'a secret must not stand in a configuration',
  remedy:
    'Revoke that key if the file was shared, put the secret into an environment variable or a file of mode 600, and write {env: NAME} or {file: PATH} here.',
};

function field(value: unknown, key: string): unknown {
  const isHeld = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isHeld ? (value as Record<string, unknown>)[key] : undefined;
}
