import { format, inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Secret, type BotConfig } from '../../src/config/index.ts';
import type { Log, LogFields } from '../../src/env/index.ts';
import { createPinoLog, LOG_LEVELS } from '../../src/operate/index.ts';
import { createRedaction, secretsOf } from '../../src/operate/notify/createRedaction.ts';
import { holdLaw } from '../holdLaw.ts';

/** A secret is drawn, put wherever a caller could put it, and looked for in all that comes out. */

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'];
const core = fc.string({ unit: fc.constantFrom(...letters), minLength: 12, maxLength: 40 });
const key = core.map((text) => `vs_${text}`);
/** Where a line is cut, too. */
const around = fc
  .constantFrom(0, 1, 20, 480, 490, 499, 500, 501)
  .map((length) => 'x '.repeat(length).slice(0, length));
const within = fc.tuple(
  around,
  fc.constantFrom('', ' ', '"', ': ', '=', '/', '?k='),
  fc.constantFrom('', ' ', '.', '&b', '"}'),
  around,
);

/** No part of it that is long enough to help whoever finds it. */
function expectNowhere(text: string, secret: string): void {
  for (let at = 0; at + 10 <= secret.length; at++)
    expect(text.includes(secret.slice(at, at + 10)), text.slice(0, 300)).toBe(false);
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const NAMES = [
  'note',
  'secret',
  'api_signature',
  'X-Authorization',
  'password',
  'level',
  'msg',
  'url',
];

test('no level of the log, no field and no child of it shows a key’s secret, as JSON or on a terminal', async () => {
  const drawn = fc.record({
    secret: key,
    within,
    level: fc.constantFrom(...LEVELS),
    threshold: fc.constantFrom(...LOG_LEVELS),
    name: fc.constantFrom(...NAMES),
    place: fc.constantFrom('message', 'field', 'child', 'grandchild', 'object', 'error', 'twice'),
    isTerminal: fc.boolean(),
  });
  await holdLaw(
    1_000,
    drawn,
    ({ secret, within: [a, b, c, d], level, threshold, name, place, isTerminal }) => {
      const lines: string[] = [];
      const root = createPinoLog({
        clock: { wallNow: () => 7 },
        level: threshold,
        isTerminal,
        write: (text) => void lines.push(text),
      });
      const text = a + b + secret + c + d;
      const fields: Readonly<Record<string, LogFields>> = {
        message: {},
        field: { [name]: text },
        child: {},
        grandchild: {},
        object: { [name]: { deep: { key: text } } } as unknown as LogFields,
        error: { [name]: new Error(text, { cause: new Error(text) }) } as unknown as LogFields,
        twice: { [name]: `${secret} ${text}` },
      };
      let log: Log = root;
      if (place === 'child') log = log.with({ [name]: text });
      if (place === 'grandchild') log = log.with({ a: 1 }).with({ [name]: text });
      log[level](place === 'message' ? text : 'it happened', fields[place]!);
      expect(lines.length).toBe(
        threshold !== 'silent' && LEVELS.indexOf(level) >= LEVELS.indexOf(threshold) ? 1 : 0,
      );
      expectNowhere(lines.join(''), secret);
    },
  );
});

test('what is secret by its name is not shown, whatever it looks like', async () => {
  const names = fc.constantFrom(
    'secret',
    'clientSecret',
    'SIGNATURE',
    'db_password',
    'passphrase',
    'authorization',
  );
  await holdLaw(300, fc.tuple(core, names, fc.constantFrom(...LEVELS)), ([secret, name, level]) => {
    const lines: string[] = [];
    const clock = { wallNow: () => 7 };
    const log = createPinoLog({
      clock,
      level: 'debug',
      isTerminal: false,
      write: (text) => void lines.push(text),
    });
    log[level]('a', { [name]: secret });
    log.with({ [name]: secret })[level]('b');
    expect(lines).toHaveLength(2);
    expectNowhere(lines.join(''), secret);
  });
});

test('a secret in a value shows in no text that is made of the value', async () => {
  await holdLaw(300, core, (text) => {
    const secret = new Secret(text);
    const holder = {
      a: [secret, { b: secret }],
      map: new Map([['k', secret]]),
      set: new Set([secret]),
    };
    const error = Object.assign(new Error(`with ${String(secret)}`, { cause: secret }), { secret });
    const shown = [
      `${secret}`,
      JSON.stringify(holder),
      JSON.stringify({ ...secret }),
      inspect(holder, { depth: null, showHidden: true }),
      inspect(error, { depth: null, showHidden: true }),
      inspect(Object.entries(secret)),
      format('%s %o %O %j %d', secret, secret, holder, holder, secret),
      String(error.stack),
    ];
    expectNowhere(shown.join('\n'), text);
    expect(secret.reveal()).toBe(text);
  });
});

test('every secret of a configuration is hidden in alerts, wherever the configuration has it', async () => {
  const drawn = fc.record({
    secret: core,
    other: core,
    kind: fc.constantFrom('text', 'password', 'path', 'query'),
    place: fc.constantFrom(
      'link',
      'watchdog',
      'journal',
      'budget',
      'readToken',
      'controlToken',
      'channel',
      'second channel',
      'later',
    ),
    within,
  });
  await holdLaw(300, drawn, async ({ secret, other, kind, place, within: [a, b, c, d] }) => {
    const whole = {
      text: secret,
      password: `postgres://bot:${secret}@host/db`,
      path: `https://hooks.example/${secret}`,
      query: `https://hooks.example/a?token=${secret}`,
    }[kind];
    const at = (of: string) => new Secret(of === place ? whole : other + of);
    const config = {
      name: 'bot',
      link: { kind: 'service', keyId: 'vk_1', secret: at('link') },
      watchdog: { key_id: 'vk_2', secret: at('watchdog') },
      journal: { url: at('journal') },
      budget: { shared: at('budget') },
      operate: {
        readToken: at('readToken'),
        controlToken: at('controlToken'),
        notify: {
          channels: [
            { kind: 'webhook', url: at('channel') },
            { kind: 'telegram', token: at('second channel') },
          ],
        },
      },
      strategies: [],
    } as unknown as BotConfig;
    const redact = createRedaction(secretsOf(config));
    if (place === 'later') redact.add(secret);
    const found = {
      text: whole,
      password: secret,
      path: `/${secret}`,
      query: `/a?token=${secret}`,
    }[place === 'later' ? 'password' : kind];
    const text = a + b + found + c + d;
    expectNowhere(redact(text) + redact(`${text} ${text}`), secret);
  });
});
