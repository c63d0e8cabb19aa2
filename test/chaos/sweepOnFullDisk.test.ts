import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  openPart,
  openResults,
  ResultsUnwritable,
  type SweepJob,
  type SweepPlan,
} from '../../backtest/index.ts';
import { runMain } from '../cli/runMain.ts';
import { root } from '../sourceFiles.ts';
import { mountSmallDisk } from './mountSmallDisk.ts';

const mounted = mountSmallDisk(2_048);
const reason = 'reason' in mounted ? mounted.reason : undefined;
const disk = 'reason' in mounted ? undefined : mounted;
afterAll(() => disk?.unmount());

// A developer's machine may lack the permission to mount; the full run requires it.
if (reason !== undefined && process.env.CI === 'true') {
  test('the small disk that these tests need', () => expect.fail(reason));
}

const PLAN: SweepPlan = {
  config: '/bots/bot.yaml',
  configHash: '',
  sources: [],
  feeds: [],
  set: [],
  seed: null,
  params: [{ name: 'fast', values: ['5'] }],
  random: null,
  range: {},
  walk: null,
  objective: 'pnl',
  tape: [],
};

const jobOf = (index: number): SweepJob => ({
  index,
  values: ['5'],
  range: {},
  window: null,
  part: 'all',
});

describe.skipIf(disk === undefined)(`results on a small disk${reason ? `: ${reason}` : ''}`, () => {
  test('that is full are refused with the reason, and those before are kept and resumed', () => {
    const path = join(disk!.path, 'part.sqlite');
    // Each result is written at once: a second passes between two of them.
    let time = 0;
    const open = () => openResults(path, PLAN, { now: () => (time += 1_000) });
    const fault = 'x'.repeat(10_000);
    const results = open();
    results.add(jobOf(0), { index: 0, fault });
    disk!.fill();
    let written = 1;
    const fill = () => {
      for (; written < 1_000; written++) {
        results.add(jobOf(written), { index: written, fault });
      }
    };
    expect(fill).toThrow(ResultsUnwritable);
    expect(() => results.add(jobOf(999), { index: 999, fault })).toThrow(
      /part\.sqlite can't take more results: .*full.*\n {2}What it has is kept\. Free some space/,
    );
    results.close();
    disk!.free();
    const part = openPart(path);
    expect([...part.rows(0, 1_000)]).toHaveLength(written);
    part.close();
    const again = open();
    expect([...again.outlines()].map(({ index }) => index)).toEqual(
      Array.from({ length: written }, (_none, index) => index),
    );
    again.add(jobOf(written), { index: written, fault });
    again.close();
  });

  test('that is full from the start are refused in one line, before anything ran', async () => {
    const file = join(disk!.path, 'bot.yaml');
    await writeFile(
      file,
      `name: swept
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: 11, bars: 600, start_price: 61000 } }
  warmup: 500
strategies:
  - { name: breakout, use: ${join(root, 'strategies/breakout.ts')}, symbols: [BTC] }
`,
    );
    disk!.fill();
    const out = join(disk!.path, 'none.sqlite');
    const { code, err } = await runMain('sweep', file, '--param', 'channel=10,20', '--out', out);
    disk!.free();
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /none\.sqlite can't be used for results: .*full.*\n {2}Mend the reason, or name another file/,
      ),
    ]);
    expect(err).toContain('TRIMTAB_SWEEP_RESULTS_UNWRITABLE');
  });
});
