import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { CommandFailure } from '../../../src/cli/failures/CommandFailure.ts';
import { FAIL_ON, failOnAny, requireAccepted } from '../../../src/cli/failures/failOnOutcome.ts';
import { root } from '../../sourceFiles.ts';
import { holdLaw } from '../../holdLaw.ts';
import { runMain } from '../runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-judge-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plugin = join(root, 'test/cli/plants/drawsSize.ts');

function bot(name: string, guards: string): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    `name: judged
link: { kind: paper }
paper: { speed: max, feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 1500 } }] }
journal: memory
guards: ${guards}
strategies: [{ name: draws, use: ${plugin}, symbols: [BTC], params: { every: 100 } }]
`,
  );
  return file;
}

const refused = bot('refused', '{ max_order_notional: 0.01 }');
const traded = bot('traded', '{}');

test.each(['backtest', 'run'])(
  '%s exits with 3 if nothing was accepted, with the most frequent reason',
  { timeout: 60_000 },
  async (command) => {
    const { code, err } = await runMain(command, refused, '--no-report', '--log-level', 'error');
    expect(code).toBe(3);
    expect(err).toMatch(/^trimtab: None of the \d+ intents was accepted\.$/m);
    expect(err).toMatch(/^ {2}Most often \(\d+\), max_order_notional: \S/m);
    expect(err).toContain('TRIMTAB_RUN_NOTHING_ACCEPTED');
    const { code: fine } = await runMain(command, traded, '--no-report', '--log-level', 'error');
    expect(fine).toBe(0);
  },
);

test('--fail-on exits with 3 if any occurred, with the count', async () => {
  const run = (...flags: string[]) =>
    runMain('backtest', traded, '--no-report', '--log-level', 'error', ...flags);
  expect(await run('--fail-on', 'rejected', 'denied')).toMatchObject({ code: 0 });
  const { code, err } = await run('--fail-on', 'uncovered', 'denied');
  expect(code).toBe(3);
  expect(err).toMatch(/--fail-on uncovered denied: there was uncovered: \d+ s\./);
  expect(err).toContain('TRIMTAB_RUN_FAIL_ON');
  const wrong = await run('--fail-on', 'anything');
  expect(wrong.code).toBe(2);
});

test('a run is judged by its counts, and the most frequent reason is told', async () => {
  const few = fc.constantFrom(0, 0, 0, 1, 2, 30);
  const drawn = fc.record({
    intents: fc.record({ accepted: few, rejected: few, denied: few, unknown: few, rest: few }),
    seconds: fc.constantFrom(undefined, 0, 0.2, 1, 1.5, 59),
    failOn: fc.uniqueArray(fc.constantFrom(...FAIL_ON)),
    causes: fc.uniqueArray(fc.constantFrom('max_leverage', 'data_age', 'post_only'), {
      maxLength: 3,
    }),
  });
  await holdLaw(200, drawn, ({ intents: { rest, ...states }, seconds, failOn, causes }) => {
    const emitted = rest + Object.values(states).reduce<number>((sum, count) => sum + count, 0);
    const result = {
      totals: {
        intents: { emitted, ...states },
        ...(seconds !== undefined && { uncovered: { total_seconds: seconds } }),
      },
      refusals: causes.map((cause, at) => ({ cause, count: 9 - at, example: `of ${cause}` })),
    } as unknown as Parameters<typeof requireAccepted>[0];
    const messageOf = (judge: () => void): string | undefined => {
      try {
        judge();
        return undefined;
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error;
        expect(error.exitCode).toBe(3);
        return error.message;
      }
    };
    const said = messageOf(() => requireAccepted(result));
    const isRefused = emitted > 0 && states.accepted === 0 && states.unknown === 0;
    expect(said !== undefined).toBe(isRefused);
    if (isRefused) {
      expect(said).toContain(
        emitted === 1 ? 'The one intent was not' : `None of the ${emitted} intents was`,
      );
      if (causes[0] !== undefined)
        expect(said).toContain(`Most often (9), ${causes[0]}: of ${causes[0]}`);
    }
    const failed = messageOf(() => failOnAny(result, failOn));
    const found = failOn.flatMap((what) => {
      if (what !== 'uncovered') return states[what] === 0 ? [] : [`${what}: ${states[what]}`];
      // A part of a second is told as one.
      return seconds ? [`uncovered: ${{ 0.2: 1, 1: 1, 1.5: 2, 59: 59 }[String(seconds)]} s`] : [];
    });
    expect(failed !== undefined).toBe(found.length > 0);
    if (failed === undefined) return;
    expect(failed).toContain(`--fail-on ${failOn.join(' ')}: there was ${found.join(', ')}.`);
    if (causes[0] !== undefined)
      expect(failed).toContain(`Most often, ${causes[0]}: of ${causes[0]}`);
  });
});
