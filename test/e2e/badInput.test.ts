import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { rotated } from '../tiers.ts';
import { runCli } from './runCli.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(3);

// Below the project, so that a plugin can import 'trimtab' as its users do.
const folder = mkdtempSync(join(root, 'var-bad-input-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plugin = (setup: string): string => `import { defineStrategy } from 'trimtab';
import { z } from 'zod';
export default defineStrategy({
  name: 'own', contract: 1, description: 'x', scopes: ['read'],
  params: z.object({ period: z.int().positive().default(3) }),
  setup: () => {
    ${setup}
  },
});
`;
const yaml = (over: Record<string, string> = {}): string => {
  const parts: Record<string, string> = {
    feed: '{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 700 } }',
    symbols: 'BTC',
    use: './own.ts',
    params: '{}',
    key: 'journal',
    ...over,
  };
  return `name: bad
link: { kind: paper }
paper:
  feeds:
    - ${parts['feed']}
  speed: max
strategies:
  - name: own
    use: ${parts['use']}
    symbols: [${parts['symbols']}]
    params: ${parts['params']}
${parts['key']}: memory
`;
};

async function runWith(files: Record<string, string>, ...args: string[]) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return runCli(['run', join(folder, 'bot.yaml'), ...args]);
}

const sound = plugin('return new (class {})() as never;');

describe('bad input: a clear message with its place, exit code not 0, no stack trace', () => {
  const cases: Array<[string, Record<string, string>, RegExp[]]> = [
    [
      'a wrong YAML key',
      { 'bot.yaml': yaml({ key: 'journl' }), 'own.ts': sound },
      [/bot\.yaml:12:1: journl: unknown key/, /Did you mean journal\?/],
    ],
    [
      'an unknown symbol',
      { 'bot.yaml': yaml({ symbols: 'BTX' }), 'own.ts': sound },
      [/bot\.yaml:10:\d+: strategies\[0\]\.symbols\[0\].*BTX/, /Did you mean BTC\?/],
    ],
    [
      'a CSV with a bad row',
      {
        'bot.yaml': yaml({ feed: '{ symbol: BTC, interval: 1m, path: ./bad.csv }' }),
        'own.ts': sound,
        'bad.csv':
          'timestamp,open,high,low,close,volume\n0,1,2,1,2,3\n60000,1,two,1,2,3\n120000,1,2,1,2,3\n',
      },
      [/bad\.csv:3: column high: "two" is not a number/],
    ],
    [
      'a plugin that throws in setup',
      { 'bot.yaml': yaml(), 'own.ts': plugin("throw new Error('no idea what to do');") },
      [/own\.ts:7:\d+: strategy own threw in setup: no idea what to do/],
    ],
    [
      'a plugin that is not there',
      { 'bot.yaml': yaml({ use: './onw.ts' }), 'own.ts': sound },
      [/onw\.ts/, /own\.ts/],
    ],
    [
      'a parameter that does not fit',
      { 'bot.yaml': yaml({ params: '{ period: -3 }' }), 'own.ts': sound },
      [/bot\.yaml:11:\d+: strategies\[0\]\.params\.period/],
    ],
  ];
  test.each(rotated(cases, 3))('%s', async (_name, files, expected) => {
    const { code, out, err } = await runWith(files);
    for (const pattern of expected) expect(err).toMatch(pattern);
    expect(err).not.toMatch(/\n\s+at /);
    expect(out).toBe('');
    expect(code).not.toBe(0);
    expect(code).not.toBeNull();
  });
});

it('a malformed intent is counted, and the run does not succeed', async () => {
  const text = sound.replace(
    /setup:[^]*/,
    `setup: (ctx) => ctx.candles(ctx.symbol, '1m').pipe(map(() => undefined as never)),
});
`,
  );
  const own = `import { map } from 'rxjs';\n${text}`;
  const { code, out, err } = await runWith({ 'bot.yaml': yaml(), 'own.ts': own });
  expect(out).toMatch(/^own +200 +200 +0/m);
  expect(out).toContain('not accepted, malformed: 200');
  expect(err).toContain('200 intents were malformed and not sent');
  expect(code).toBe(1);
});

it('a stream that the service refuses ends the run, and is named', async () => {
  const text = sound.replace(
    /setup:[^]*/,
    `setup: (ctx) => ctx.candles('ETH', '1m').pipe(map(() => undefined as never)),
});
`,
  );
  const own = `import { map } from 'rxjs';\n${text}`;
  const { code, err } = await runWith({ 'bot.yaml': yaml(), 'own.ts': own });
  expect(err).toMatch(
    /own\.ts:\d+:\d+: strategy own asks for 1m bars of ETH, which the service refuses/,
  );
  expect(code).toBe(1);
});

// Of several, the first is named: those that follow may come of it.
test.each([
  [
    'ends its strategy, by the file in its stack',
    "new Error('nobody catches this')",
    /own\.ts:\d+:\d+: strategy own threw: nobody catches this/,
  ],
  [
    'ends the run, where no stack names an owner',
    "'nobody catches this'",
    /An exception outside every stream stopped the bot: 'nobody catches this' was thrown/,
  ],
])('a rejection that nobody catches %s', async (_what, reason, message) => {
  const text = sound.replace(
    /setup:[^]*/,
    `setup: () => {
    void Promise.reject(${reason});
    void Promise.reject(${reason.replace('nobody', 'nor does anybody')});
    return NEVER;
  },
});
`,
  );
  const own = `import { NEVER } from 'rxjs';\n${text}`;
  const { code, err } = await runWith({ 'bot.yaml': yaml(), 'own.ts': own });
  expect(err).toMatch(message);
  expect(err).not.toMatch(/\n\s+at /);
  expect(code).toBe(1);
});

it('a stack trace is shown on request', async () => {
  const files = { 'bot.yaml': yaml({ key: 'journl' }), 'own.ts': sound };
  const { code, err } = await runWith(files, '--debug');
  expect(err).toMatch(/\n\s+at /);
  expect(code).not.toBe(0);
});

it('a missing secret is named, whichever way the bot is started, and never shown', async () => {
  const canary = 'vs_canary_6a1f';
  const text = `name: live
link:
  kind: live
  base_url: https://service.invalid
  ws_url: wss://service.invalid/v1/stream
  key_id: { env: TRIMTAB_TEST_KEY }
  secret: { env: TRIMTAB_TEST_SECRET }
strategies:
  - { name: own, use: ./own.ts, symbols: [BTC], wallet: main }
journal: ./live.sqlite
`;
  writeFileSync(join(folder, 'own.ts'), sound);
  writeFileSync(join(folder, 'live.yaml'), text);
  const start = (env: NodeJS.ProcessEnv, ...args: string[]) =>
    runCli(['run', join(folder, 'live.yaml'), ...args], { env: { ...process.env, ...env } });

  const missing = await start({ TRIMTAB_TEST_KEY: 'vk_1' }, '--live');
  expect(missing.err).toMatch(/live\.yaml:7:\d+: link\.secret: .*TRIMTAB_TEST_SECRET is not set/);
  expect(missing.code).not.toBe(0);

  const present = { TRIMTAB_TEST_KEY: 'vk_1', TRIMTAB_TEST_SECRET: canary };
  const unsaid = await start(present);
  expect(unsaid.err).toContain('--live');
  expect(unsaid.code).not.toBe(0);

  const unreachable = await start(present, '--live', '--debug');
  expect(unreachable.code).not.toBe(0);
  for (const { out, err } of [missing, unsaid, unreachable])
    expect(out + err).not.toContain(canary);
});

it('an unknown command or flag is refused with the known ones', async () => {
  const command = await runCli(['rnu']);
  expect(command.err).toMatch(/unknown command 'rnu'/);
  expect(command.code).toBe(2);
  const flag = await runCli(['run', 'configs/demo.yaml', '--feeed', 'x']);
  expect(flag.err).toMatch(/unknown option '--feeed'/);
  expect(flag.code).toBe(2);
});
