import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createDialect, defaultDialect } from '../../src/contract/dialect.ts';
import { createSigner } from '../../src/wire/createSigner.ts';

const SECRET = 'vs_canary_5f1d0c0ffee';
const clock = { wallNow: () => 1_700_000_000_987 };
const signer = createSigner({ keyId: 'vk_1', secret: SECRET, dialect: defaultDialect, clock });

/** HMAC as RFC 2104 writes it, from the bare hash. */
function hmacByHand(secret: string, text: string): string {
  const block = Buffer.alloc(64);
  const bytes = Buffer.from(secret);
  (bytes.length > 64 ? createHash('sha256').update(bytes).digest() : bytes).copy(block);
  const inner = createHash('sha256').update(block.map((byte) => byte ^ 0x36));
  const digest = inner.update(text, 'utf8').digest();
  return createHash('sha256')
    .update(block.map((byte) => byte ^ 0x5c))
    .update(digest)
    .digest('hex');
}

const cases = [
  { method: 'GET', path: '/v1/positions', body: '' },
  { method: 'GET', path: '/v1/candles/BTC%2FUSDC?interval=1m&limit=5', body: '' },
  { method: 'POST', path: '/v1/execute', body: '{"algo":"pacemaker","note":"ü€😀","n":1e-7}' },
];

describe('AUTH-1: the three headers', () => {
  test.each(cases)('$method $path is signed as HMAC-SHA256 written by hand', (request) => {
    const headers = signer.sign(request);
    const text = `1700000000${request.method}${request.path}${request.body}`;
    expect(headers).toEqual({
      'X-Service-Api-Key-Id': 'vk_1',
      'X-Service-Timestamp': '1700000000',
      'X-Service-Signature': hmacByHand(SECRET, text),
    });
  });

  const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
  test.skipIf(!hasOpenssl).each(cases)('$method $path is signed as openssl signs it', (request) => {
    const headers = signer.sign(request);
    const input = `1700000000${request.method}${request.path}${request.body}`;
    const output = execFileSync('openssl', ['dgst', '-sha256', '-hmac', SECRET, '-hex'], { input });
    expect(output.toString().trim().split(' ').at(-1)).toBe(headers['X-Service-Signature']);
  });

  test('the timestamp is server time in whole seconds: wall time plus the learned offset', () => {
    const ahead = createSigner({
      keyId: 'vk_1',
      secret: SECRET,
      dialect: defaultDialect,
      clock,
      offsetMs: () => -600_000,
    });
    expect(ahead.sign(cases[0]!)['X-Service-Timestamp']).toBe('1699999400');
  });
});

test('AUTH-8: the dialect may leave the query string out of the signed path', () => {
  const dialect = createDialect({ signing: { signQueryString: false } });
  const bare = createSigner({ keyId: 'vk_1', secret: SECRET, dialect, clock });
  const headers = bare.sign({ method: 'GET', path: '/v1/candles/BTC?interval=1m', body: '' });
  const expected = hmacByHand(SECRET, '1700000000GET/v1/candles/BTC');
  expect(headers['X-Service-Signature']).toBe(expected);
});

test('nothing that prints a signer shows its secret', () => {
  const shown = [
    inspect(signer, { depth: null, showHidden: true }),
    JSON.stringify(signer),
    JSON.stringify(Object.getOwnPropertyDescriptors(signer)),
    inspect(Object.values(signer), { depth: null, showHidden: true }),
    JSON.stringify(signer.sign(cases[0]!)),
  ];
  for (const text of shown) expect(text).not.toContain(SECRET);
});

test('an error thrown while signing does not hold the secret', () => {
  const broken = createSigner({
    keyId: 'vk_1',
    secret: SECRET,
    dialect: defaultDialect,
    clock: {
      wallNow: () => {
        throw new Error('clock');
      },
    },
  });
  try {
    broken.sign(cases[0]!);
    expect.unreachable();
  } catch (error) {
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(SECRET);
  }
});
