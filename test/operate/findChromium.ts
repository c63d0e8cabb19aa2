import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { processEnvironment } from '../../src/config/index.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const chromiumPath = PLACES.find((path) => existsSync(path));
/** Behind a test's name where there is no browser to run it in. */
export const chromiumReason =
  chromiumPath === undefined ? ' (skipped: no Chromium; apt-get install chromium)' : '';

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where the browser is promised, its absence is a failure and not a reason to skip. */
export function expectChromiumOnCi(): void {
  if (processEnvironment.CI !== 'true' || chromiumPath !== undefined) return;
  test('CI has a browser for the pages', () => {
    expect.fail('Chromium is missing: apt-get install chromium');
  });
}
