import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { processEnvironment } from '../../../src/config/index.ts';

const [PROMETHEUS, PROMTOOL] = ['/usr/bin/prometheus', '/usr/bin/promtool'];
const isThere = existsSync(PROMETHEUS) && existsSync(PROMTOOL);

/** Paths of Debian's programs; undefined if they are not installed. */
export const prometheus = isThere ? { server: PROMETHEUS, tool: PROMTOOL } : undefined;
/** Behind a test's name where it can't run. */
export const prometheusReason = isThere
  ? ''
  : ' (skipped: no Prometheus; apt-get install prometheus)';

/** Where it is promised, its absence is a failure and not a reason to skip. */
export function expectPrometheusOnCi(): void {
  if (processEnvironment.CI !== 'true' || isThere) return;
  test('CI has Prometheus for the rules', () => {
    expect.fail('Prometheus is missing: apt-get install prometheus');
  });
}
