import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeFault } from '../../../src/operate/run/describeFault.ts';
import type { StrategyFault } from '../../../src/strategy/index.ts';

let home: string;
beforeEach(async () => void (home = await mkdtemp(join(tmpdir(), 'trimtab-fault-'))));
afterEach(() => rm(home, { recursive: true, force: true }));

const thrown = { instance: 'trend', kind: 'threw', reason: 'why' } satisfies StrategyFault;

async function describe(code: string, fault: StrategyFault = thrown) {
  const file = join(home, 'plugin.ts');
  await writeFile(file, code);
  return describeFault(fault, file).replace(home, '');
}

test.each([
  [
    "import { of } from 'rxjs';\n// throw null\n  if (bad) throw null;\n",
    '3:12',
    'if (bad) throw null;',
  ],
  ["from(Promise.reject('late'))", '1:14', "from(Promise.reject('late'))"],
  ["throwError(() => 'text')\nthrow new Error('another');", '1:1', "throwError(() => 'text')"],
])(
  'what was thrown without a stack has the only place that can have: %j',
  async (code, at, line) => {
    expect(await describe(code)).toBe(`/plugin.ts:${at}: strategy trend threw: why\n  ${line}`);
  },
);

test.each(['throw null;\nthrow undefined;', 'throw new Error("it");'])(
  'of several such places, or none, no place is guessed: %j',
  async (code) => {
    expect(await describe(code)).toBe('/plugin.ts: strategy trend threw: why');
  },
);

test('a stack that is there is worth more', async () => {
  const fault = { ...thrown, stack: `Error: why\n    at ${home}/plugin.ts:7:2` };
  expect(await describe('throw null;', fault)).toBe('/plugin.ts:7:2: strategy trend threw: why');
});
