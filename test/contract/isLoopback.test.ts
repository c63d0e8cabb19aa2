import { expect, test } from 'vitest';
import { hostOf, isLoopback } from '../../src/contract/index.ts';
import { requireSafeUrl } from '../../src/wire/requireSafeUrl.ts';

test.each([
  'localhost',
  'LocalHost',
  '127.0.0.1',
  '127.255.255.254',
  '::1',
  '[::1]',
  '::ffff:127.0.0.1',
  '::FFFF:127.9.8.7',
  '[::ffff:7f00:1]',
])('%s is this machine', (host) => expect(isLoopback(host)).toBe(true));

const TRICKS = [
  undefined,
  '',
  '127.evil.example',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'evil-localhost',
  'localhost.',
  '127.0.0.1.',
  '127.1',
  '127.0.0.256',
  '127.0.0.01',
  '0127.0.0.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '2130706433',
  '127.0.0.1:80',
  '127.0.0.1@evil.example',
  ' 127.0.0.1',
  '127.0.0.1\n',
  '128.0.0.1',
  '10.0.0.1',
  '0.0.0.0',
  '::',
  '[::]',
  '::1%eth0',
  '[127.0.0.1]',
  '::ffff:10.0.0.1',
  '::ffff:127.evil.example',
  '[::ffff:a00:1]',
  '::ffff:7f:1',
  '::127.0.0.1',
  '１２７.0.0.1',
];
test.each(TRICKS)('%s is not', (host) => expect(isLoopback(host)).toBe(false));

test('a Host header has a host and a port, or is none', () => {
  expect(hostOf('localhost:80')).toBe('localhost');
  expect(hostOf('[::1]:80')).toBe('[::1]');
  for (const none of [
    undefined,
    '',
    'a@localhost',
    'localhost/x',
    'localhost, evil',
    'a:b',
    '::1',
  ]) {
    expect(hostOf(none), none).toBeUndefined();
  }
});

test.each(['127.evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1'])(
  'a plain-text address must not be %s',
  (host) => {
    expect(() => requireSafeUrl(`http://${host}/`, 'http')).toThrow(/not this machine/);
  },
);
