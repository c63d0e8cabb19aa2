import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isForeignPage, isRebound } from '../../../src/paper/server/serveHttp.ts';
import { holdLaw } from '../../holdLaw.ts';

const OWN_HOSTS = ['localhost', 'localhost:8730', '127.0.0.1:8730', '[::1]:8730'];
const OTHER_HOSTS = ['box.lan', 'box.lan:8730', '192.168.1.5:8730', 'localhost.evil.example', ''];
const OWN_ADDRESSES = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];
const OTHER_ADDRESSES = ['192.168.1.5', '10.0.0.7', 'fe80::1'];

test('a request to this machine’s own address must name this machine, whatever came before it', async () => {
  const request = fc.record({
    host: fc.constantFrom(...OWN_HOSTS, ...OTHER_HOSTS),
    localAddress: fc.constantFrom(...OWN_ADDRESSES, ...OTHER_ADDRESSES),
  });
  await holdLaw(60, fc.array(request, { minLength: 30, maxLength: 60 }), (requests) => {
    for (const { host, localAddress } of requests) {
      const isRefused = OWN_ADDRESSES.includes(localAddress) && !OWN_HOSTS.includes(host);
      const answer = isRebound({ headers: { host }, socket: { localAddress } as never });
      expect(answer, `${host} at ${localAddress}`).toBe(isRefused);
    }
  });
});

test.each([
  [undefined, false],
  ['http://localhost:3000', false],
  ['http://127.0.0.1', false],
  ['http://[::1]:8080', false],
  ['https://evil.example', true],
  ['http://localhost.evil.example', true],
  ['null', true],
  ['', true],
])('a page of the origin %s is foreign: %s', (origin, isForeign) => {
  expect(isForeignPage({ headers: origin === undefined ? {} : { origin } })).toBe(isForeign);
});
