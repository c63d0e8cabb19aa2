import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encodeCache } from '../../../src/paper/index.ts';
import { root } from '../../../test/sourceFiles.ts';
import {
  compare,
  median,
  processorSeconds,
  type ComparisonResult,
  type Contender,
} from '../harness.ts';
import { rawCross } from './rawCross.ts';
import { CONFIG, loadCross, WARM_UP } from './smaCross.ts';

const BARS = 1_000_000;
/** The raw loop takes some milliseconds; this often, it is measured under the same load as the others. */
const RAW_RUNS = 100;
/** Half a second where the raw loop takes 3.9 nanoseconds a bar. */
const GOAL = 1 / 128;

const run = promisify(execFile);
/** Prints what the process has used, in one line after all else. */
const MEASURED = `data:text/javascript,process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  process.stderr.write('\\nused ' + JSON.stringify({ seconds: (user + system) / 1e6, kilobytes: maxRSS }) + '\\n');
})`;

interface Used {
  /** Processor time of all threads. */
  seconds: number;
  kilobytes: number;
}

/** Why the command can't be measured here, with the remedy; undefined if it can. */
export function commandUnavailable(): string | undefined {
  return existsSync(join(root, 'dist/src/cli/main.js')) ? undefined : 'run npm run build';
}

/**
 * The whole command `trimtab backtest` over a million one-minute bars in a cache: processor time beyond that of an
 * empty Node, against the raw loop over the same bars, and the most memory that it had.
 */
export async function benchCommand(): Promise<ComparisonResult[]> {
  const { data } = await loadCross('quietCross.ts', BARS);
  const feed = data.feeds[0]!;
  const { symbol, interval, time, open, high, low, close, volume } = feed;
  const columns = { time, open, high, low, close, volume };
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-bench-'));
  try {
    const cache = join(folder, 'btc.trimtab');
    const file = { kind: 'bars', symbol, interval, source: 'a benchmark', columns } as const;
    writeFileSync(cache, encodeCache(file));
    const contenders: [Contender, ...Contender[]] = [
      {
        name: 'the raw loop',
        run: async () => {
          const seconds = await processorSeconds(() => {
            for (let at = 0; at < RAW_RUNS; at++) rawCross(feed, WARM_UP);
          });
          return { 'runs/CPU-s': RAW_RUNS / seconds };
        },
      },
      { ...commandOn(cache, 'every=0'), name: 'trimtab backtest, no orders', goal: GOAL },
      { ...commandOn(cache, 'every=9'), name: 'trimtab backtest, one order in 500 bars' },
    ];
    return await compare({ name: 'backtest/command: a million cached bars', contenders });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function commandOn(cache: string, param: string): Pick<Contender, 'run' | 'note'> {
  const flags = {
    '--set': `strategies[0].use=${join(import.meta.dirname, 'rareCross.ts')}`,
    '--feed': `BTC@1m=${cache}`,
  };
  const params = ['operators=own', param].flatMap((each) => ['--param', `cross.${each}`]);
  const command = [join(root, 'bin/trimtab.js'), 'backtest', CONFIG, '--no-report'];
  const args = [...command, ...Object.entries(flags).flat(), ...params];
  const all: Used[] = [];
  return {
    async run() {
      const empty = await use(['--eval', '0']);
      const used = await use(args);
      const seconds = used.seconds - empty.seconds;
      all.push({ ...used, seconds });
      return { 'runs/CPU-s': 1 / seconds };
    },
    note() {
      const ms = median(all.map(({ seconds }) => seconds)) * 1e3;
      const mb = median(all.map(({ kilobytes }) => kilobytes)) / 1_024;
      return `${ms.toFixed(0)} ms beyond an empty Node, ${mb.toFixed(0)} MB`;
    },
  };
}

async function use(args: readonly string[]): Promise<Used> {
  const { stderr } = await run(process.execPath, ['--import', MEASURED, ...args]);
  return JSON.parse(/^used (\{.*\})$/m.exec(stderr)![1]!) as Used;
}
