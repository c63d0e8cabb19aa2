import { describe, expect, test } from 'vitest';
import { checkConfig, type OperateConfig } from '../../src/config/index.ts';

const SECRETS = {
  HOOK: 'https://hooks.example.org/services/T000/very-secret',
  TG: '123456789:AAH-secret_token_of_the_test_bot_1234',
  SMTP: 'smtps://bot%40example.org:mail-pass-word@mail.example.org',
};
const EXAMPLE = [
  { kind: 'webhook', url: { env: 'HOOK' }, min: 'error', digest_seconds: 60, template: 'slack' },
  { kind: 'telegram', token: { env: 'TG' }, chat: 123, min: 'page' },
  { kind: 'email', url: { env: 'SMTP' }, to: ['ops@example.org'], min: 'report' },
];

async function check(
  operate: unknown,
  {
    env = SECRETS,
    guards = {},
    withKey = true,
  }: { env?: Record<string, string>; guards?: object; withKey?: boolean } = {},
): Promise<OperateConfig | string> {
  const bot = {
    name: 'watched',
    link: { kind: 'paper' },
    paper: { feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }] },
    strategies: [{ name: 'one', use: './one.ts', symbols: ['BTC'] }],
    guards,
    operate,
  };
  const source = { file: 'bot.yaml', directory: '/bots' };
  const result = await checkConfig(bot, source, { env, withKey });
  if (result.ok) return result.config.operate!;
  return result.faults.map((fault) => JSON.stringify(fault)).join('\n');
}

test('the example of the documents is read, and its secrets are printed by nothing', async () => {
  const operate = (await check({ notify: EXAMPLE })) as OperateConfig;
  const rules = { digestMs: 0, repeatMs: 3_600_000, quiet: null };
  expect(operate.notify).toMatchObject({
    uncoveredSeconds: 60,
    channels: [
      { kind: 'webhook', template: 'slack', ...rules, min: 'ticket', digestMs: 60_000 },
      { kind: 'telegram', chat: 123, ...rules, min: 'page' },
      { kind: 'email', to: ['ops@example.org'], ...rules, min: 'report' },
    ],
  });
  expect(JSON.stringify(operate)).not.toMatch(/secret_|very-secret|pass-word/);
  expect(operate.listen).toEqual({ host: '127.0.0.1', port: 9464 });
});

test('without a server, and without secrets for who needs none', async () => {
  expect(await check({ listen: 'off', notify: EXAMPLE })).toMatchObject({ listen: null });
  const asked = await check({ notify: EXAMPLE }, { env: {}, withKey: false });
  expect(asked).toMatchObject({ notify: null });
});

test.each([
  [{}, 60],
  [{ warn_uncovered_seconds: 5 }, 5],
  [{ max_uncovered_seconds: 'off' }, null],
  [{ max_uncovered_seconds: 'off', warn_uncovered_seconds: 30 }, 30],
])('with the guards %j, uncovered is an alert after %s s', async (guards, uncoveredSeconds) => {
  const operate = (await check({ notify: EXAMPLE }, { guards })) as OperateConfig;
  expect(operate.notify).toMatchObject({ uncoveredSeconds });
  // Without a channel too: other monitors read it from the metrics.
  expect(await check({}, { guards })).toMatchObject({ notify: null, uncoveredSeconds });
});

describe('refused, with place and remedy', () => {
  const hook = EXAMPLE[0]!;
  const quiet = { from: '22:00', until: '07:00', tz: 'Europe/Berlin' };
  test.each([
    [[{ ...hook, min: 'urgent' }], /notify.*min/],
    [[{ ...hook, template: 'teams' }], /template/],
    [[{ ...hook, digest_seconds: -1 }], /digest_seconds/],
    [[{ ...hook, kind: 'pager' }], /kind/],
    [[{ ...hook, quiet_hours: { ...quiet, tz: 'Mars/Olympus' } }], /time zone/],
    [[{ ...hook, quiet_hours: { ...quiet, from: '24:00' } }], /time of day/],
    [[{ ...hook, quiet_hours: { ...quiet, until: '22:00' } }], /same time/],
    [[{ ...EXAMPLE[2]!, to: ['ops@example.org\nBcc: all@example.org'] }], /must be an address/],
    [[{ ...EXAMPLE[1]!, chat: 'ops' }], /chat/],
  ])('%j', async (notify, reason) => {
    expect(await check({ notify })).toMatch(reason);
  });

  test.each([
    ['HOOK', 'http://hooks.example.org/very-secret', /no address of a webhook/],
    ['HOOK', 'https://user:very-secret@hooks.example.org/', /no address of a webhook/],
    ['HOOK', 'very-secret', /no address of a webhook/],
    ['TG', 'very-secret', /no token of a Telegram bot/],
    ['SMTP', 'https://very-secret@mail.example.org', /no address of a mail server/],
    ['SMTP', 'smtp://a:very-secret@mail.example.org?pool=true', /no address of a mail server/],
    ['SMTP', 'smtp://a:%E0very-secret@mail.example.org', /no address of a mail server/],
  ])('%s is %s', async (name, value, reason) => {
    const text = await check({ notify: EXAMPLE }, { env: { ...SECRETS, [name]: value } });
    expect(text).toMatch(reason);
    expect(text).not.toContain('very-secret');
  });

  test('a variable that is not set', async () => {
    expect(await check({ notify: EXAMPLE }, { env: {} })).toContain('TG is not set');
  });

  test.each(['url', 'token'])('a literal %s, without repeating it', async (name) => {
    const text = await check({ notify: [{ ...hook, [name]: SECRETS.HOOK }] });
    expect(text).toContain('must not stand in a configuration');
    expect(text).not.toContain('very-secret');
  });
});
