import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';
import { LEFT_OUT } from './tiers.ts';

/** Names of skipped tests that are listed one by one. */
const LISTED = 12;
/** A test whose name ends like this may be skipped everywhere. */
const OF_THE_MACHINE = '(needs a network interface)';

/**
 * Ends the run with plain lines: how many tests passed, failed and were skipped, which those are, what
 * repeats the part that was taken of what rotates, and what runs the others. Where everything is tested (`CI=true`), a skip fails.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const skipped = new Set<string>();
    let isWrong = false;
    for (const module of modules) {
      // A file that could not be loaded has no tests, and is still a failure.
      if (module.errors().length > 0) counts.failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state in counts) counts[state as keyof typeof counts]++;
        if (state !== 'skipped') continue;
        const { name } = outermost(test);
        skipped.add(`${module.relativeModuleId}: ${name}`);
        if (!name.endsWith(OF_THE_MACHINE)) isWrong = process.env['CI'] === 'true';
      }
    }
    const { passed, failed, skipped: count } = counts;
    const say = (text: string): void => void process.stdout.write(`${text}\n`);
    say(`\nrotation ${process.env['TRIMTAB_TESTS_ROTATION']} (TRIMTAB_TESTS_ROTATION repeats it)`);
    if (process.env['TRIMTAB_TESTS'] === 'part')
      say(
        `${LEFT_OUT.length} costly files wait for another commit; npm run test:rest runs them now`,
      );
    if (isWrong) process.exitCode = 1;
    say(
      `${passed} passed, ${failed} failed, ${count} skipped${isWrong ? ', which is a failure' : ''}`,
    );
    for (const name of [...skipped].slice(0, LISTED)) say(`skipped: ${name}`);
    if (skipped.size > LISTED) say(`skipped: ${skipped.size - LISTED} more`);
  }
}

/** The widest group that was skipped entirely: its name states what it needs. */
function outermost(test: TestCase): TestCase | TestSuite {
  let widest: TestCase | TestSuite = test;
  for (let at: TestModule | TestSuite = test.parent; at.type === 'suite'; at = at.parent) {
    if (at.options.mode === 'skip') widest = at;
  }
  return widest;
}
