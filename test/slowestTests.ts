import type { Reporter, TestModule } from 'vitest/node';
import { costlyName, secondsOf } from './tiers.ts';

const SHOWN = 30;
/** A file that takes longer takes turns. */
const COSTLY_SECONDS = 10;

interface Row {
  ms: number;
  name: string;
}

/** `npm run test:slow`: the slowest tests of a run, and the files that took the longest in all. */
export default class SlowestTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests: Row[] = [];
    const files: Row[] = [];
    for (const module of modules) {
      const { relativeModuleId: file } = module;
      const {
        collectDuration,
        duration,
        environmentSetupDuration,
        prepareDuration,
        setupDuration,
      } = module.diagnostic();
      const around = collectDuration + environmentSetupDuration + prepareDuration + setupDuration;
      files.push({ ms: duration + around, name: file });
      for (const test of module.children.allTests()) {
        tests.push({ ms: test.diagnostic()?.duration ?? 0, name: `${file}: ${test.fullName}` });
      }
    }
    report(`The ${SHOWN} slowest of ${tests.length} tests`, tests);
    report(`The ${SHOWN} slowest of ${files.length} files, imports included`, files);
    reportTurns(files);
  }
}

/** Files that take turns by other seconds than they took, or that do not and should, as lines for `tiers.ts`. */
function reportTurns(files: readonly Row[]): void {
  const lines = files.flatMap(({ ms, name }) => {
    const took = Math.round(ms / 1_000);
    const known = secondsOf(name);
    const isOff = took > 2 * (known ?? 0) || 2 * took < (known ?? 0);
    if (!isOff || Math.max(took, known ?? 0) < COSTLY_SECONDS) return [];
    const why = known === undefined ? 'takes no turns' : `listed with ${known}`;
    return [`  '${costlyName(name)}': ${took}, // ${why}`];
  });
  process.stdout.write(
    `\nCOSTLY in test/tiers.ts is off in ${lines.length}\n${lines.join('\n')}\n`,
  );
}

function report(title: string, rows: readonly Row[]): void {
  const sum = rows.reduce((total, { ms }) => total + ms, 0);
  const slowest = rows.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN);
  const lines = slowest.map(({ ms, name }) => `${seconds(ms)}  ${name}`);
  process.stdout.write(`\n${title}, ${seconds(sum).trim()} in all\n${lines.join('\n')}\n`);
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`.padStart(9);
