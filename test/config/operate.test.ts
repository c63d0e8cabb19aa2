import { describe, expect, test } from 'vitest';
import { checkConfig } from '../../src/config/index.ts';

const TOKENS = { OPS_READ: 'read-token-of-the-test', OPS_CTL: 'control-token-of-the-test' };
const tokens = { read_token: { env: 'OPS_READ' }, control_token: { env: 'OPS_CTL' } };

async function check(operate: unknown, env: Record<string, string> = TOKENS) {
  const bot = {
    name: 'served',
    link: { kind: 'paper' },
    paper: { feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }] },
    strategies: [{ name: 'one', use: './one.ts', symbols: ['BTC'] }],
    operate,
  };
  const result = await checkConfig(bot, { file: 'bot.yaml', directory: '/bots' }, { env });
  if (result.ok) return result.config.operate;
  return result.faults.map(({ reason, remedy }) => `${reason} → ${remedy}`);
}

async function faultsOf(operate: unknown, env?: Record<string, string>): Promise<string> {
  const faults = await check(operate, env);
  return Array.isArray(faults) ? faults.join('\n') : 'none';
}

test('without the section there is no server', async () => {
  expect(await check(undefined)).toBeNull();
});

test.each([
  [{}, { host: '127.0.0.1', port: 9464 }],
  [{ listen: 'localhost:0' }, { host: 'localhost', port: 0 }],
  [{ listen: '[::1]:80' }, { host: '::1', port: 80 }],
  [{ listen: 'unix:./var/bot.sock' }, { socket: '/bots/var/bot.sock' }],
  [
    { listen: '0.0.0.0:9464', tls_in_front: true, ...tokens },
    { host: '0.0.0.0', port: 9464 },
  ],
])('%j listens at %j', async (operate, listen) => {
  expect(await check(operate)).toMatchObject({ listen });
});

test('tokens are read, and printed by nothing', async () => {
  const operate = await check(tokens);
  expect(JSON.stringify(operate)).not.toContain(TOKENS.OPS_READ);
  expect((operate as { readToken: { reveal(): string } }).readToken.reveal()).toBe(TOKENS.OPS_READ);
});

describe('refused, with the remedy', () => {
  test.each([
    ['9464', /HOST:PORT/],
    ['127.0.0.1:70000', /HOST:PORT/],
    ['127.0.0.1', /HOST:PORT/],
    ['http://127.0.0.1:80', /HOST:PORT/],
    ['unix:', /HOST:PORT/],
  ])('listen: %s', async (listen, reason) => {
    expect(await faultsOf({ listen })).toMatch(reason);
  });

  test.each([
    [{}, 'this is missing: read_token, control_token, tls_in_front: true'],
    [tokens, 'this is missing: tls_in_front: true'],
    [{ read_token: { env: 'OPS_READ' }, tls_in_front: true }, 'this is missing: control_token'],
  ])('an address that others reach, with %j only', async (given, reason) => {
    expect(await faultsOf({ listen: '0.0.0.0:9464', ...given })).toContain(reason);
  });

  test('tokens that are short, equal, missing, or in the file itself', async () => {
    const short = await faultsOf(tokens, { ...TOKENS, OPS_READ: 'short' });
    expect(short).toContain('at least 16 printable characters');
    expect(short).not.toContain('short →');
    const equal = await faultsOf(tokens, { ...TOKENS, OPS_CTL: TOKENS.OPS_READ });
    expect(equal).toContain('the same as read_token');
    expect(await faultsOf(tokens, {})).toContain('OPS_READ is not set');
    const written = await faultsOf({ control_token: 'an-open-secret-12345' });
    expect(written).toContain('must not stand in a configuration');
    expect(written).not.toContain('open-secret');
  });
});

describe('a token has sixteen printable characters at least', () => {
  test.each<[string, boolean]>([
    ['x'.repeat(15), false],
    ['x'.repeat(16), true],
    [`${'x'.repeat(15)}~!`, true],
    [`${'x'.repeat(16)} y`, false],
    [`${'x'.repeat(16)}\u00e9`, false],
    [`${'x'.repeat(16)}\ty`, false],
    ['x'.repeat(64), true],
  ])('%j: %j', async (token, isOne) => {
    for (const name of ['read_token', 'control_token']) {
      const faults = await faultsOf({ [name]: { env: 'OWN' } }, { OWN: token });
      if (isOne) expect(faults).toBe('none');
      else expect(faults).toContain('is no token: at least 16 printable characters without blanks');
      expect(faults).not.toContain(token);
    }
  });
});

test('the faults of tokens and of alerts are told together', async () => {
  const notify = [{ kind: 'webhook', url: { env: 'MISSING' } }];
  const faults = await faultsOf({ ...tokens, notify }, { OPS_READ: 'short', OPS_CTL: 'short-too' });
  expect(faults.match(/is no token/g)).toHaveLength(2);
  expect(faults).toContain('MISSING');
});
