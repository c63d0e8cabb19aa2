import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchCommand, commandUnavailable } from './backtest/command.ts';
import { benchMemory } from './backtest/memory.ts';
import { benchOrderCost } from './backtest/orderCost.ts';
import { benchPeers, peersUnavailable } from './backtest/peers.ts';
import { benchQuietBars } from './backtest/quietBars.ts';
import { benchRealBars, realBarsUnavailable } from './backtest/realBars.ts';
import { benchSmaCross } from './backtest/smaCross.ts';
import { benchStrategies } from './backtest/strategies.ts';
import { benchSweep, sweepUnavailable } from './backtest/sweep.ts';
import { benchQuietStrategies, benchQuietSymbols } from './backtest/wide.ts';
import { benchSave, saveUnavailable } from './dev/save.ts';
import type { ComparisonResult } from './harness.ts';
import { benchLivePath } from './live/path.ts';
import { benchWatchedPath } from './live/watched.ts';
import { benchFanOut } from './paper/fanOut.ts';
import { benchHttp } from './paper/http.ts';
import { benchReplay } from './paper/replay.ts';
import { benchReportPage } from './page/report.ts';
import { readArguments, type BenchmarkArguments } from './readArguments.ts';
import { formatResults, regressions, toRecorded, type Recorded } from './report.ts';
import { benchCompile, compileUnavailable } from './strategy/compile.ts';
import { benchIsolation } from './strategy/isolation.ts';

/**
 * `npm run bench [-- NAME…] [--check] [--record] [--json FILE]`: suites by name (all without one), ratios on stdout,
 * everything as JSON in `results/latest.json`, or in FILE.
 */
const SUITES: Readonly<Record<string, () => Promise<ComparisonResult[]>>> = {
  'live/path': benchLivePath,
  'live/watched': benchWatchedPath,
  'paper/http': benchHttp,
  'paper/fan-out': benchFanOut,
  'paper/replay': benchReplay,
  'backtest/sma-cross': benchSmaCross,
  'backtest/quiet-bars': benchQuietBars,
  'backtest/quiet-strategies': benchQuietStrategies,
  'backtest/quiet-symbols': benchQuietSymbols,
  'backtest/real-bars': benchRealBars,
  'backtest/peers': benchPeers,
  'backtest/strategies': benchStrategies,
  'backtest/memory': benchMemory,
  'backtest/order-cost': benchOrderCost,
  'backtest/command': benchCommand,
  'backtest/sweep': benchSweep,
  'dev/save': benchSave,
  'page/report': benchReportPage,
  'strategy/isolation': benchIsolation,
  'strategy/compile': benchCompile,
};
/** Why a suite can't run here, with the remedy; undefined if it can. */
const NEEDS: Readonly<Record<string, () => string | undefined>> = {
  'backtest/real-bars': realBarsUnavailable,
  'backtest/command': commandUnavailable,
  'backtest/peers': peersUnavailable,
  'backtest/sweep': sweepUnavailable,
  'dev/save': saveUnavailable,
  'strategy/compile': compileUnavailable,
};

const FOLDER = join(import.meta.dirname, 'results');
const RECORDED = join(FOLDER, 'recorded.json');

const write = (text: string): void => void process.stdout.write(`${text}\n`);
const asked = readOrEnd();

function readOrEnd(): BenchmarkArguments {
  try {
    return readArguments(process.argv.slice(2), Object.keys(SUITES), FOLDER);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}

const recorded: Recorded = existsSync(RECORDED)
  ? (JSON.parse(readFileSync(RECORDED, 'utf8')) as Recorded)
  : {};
const results: ComparisonResult[] = [];
const skipped: Array<{ name: string; reason: string }> = [];
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** After each suite: one that fails an hour later leaves the rows before it. */
function writeResults(): void {
  writeFileSync(asked.json, json({ node: process.version, skipped, results }));
}

for (const name of asked.suites) {
  const need = NEEDS[name]?.();
  if (need !== undefined) {
    write(`${name} is skipped: ${need}\n`);
    skipped.push({ name, reason: need });
    if (asked.areNamed) process.exitCode = 2;
    continue;
  }
  const suite = await SUITES[name]!();
  results.push(...suite);
  write(`${formatResults(suite, recorded)}\n`);
  writeResults();
}
writeResults();
if (asked.record) writeFileSync(RECORDED, json({ ...recorded, ...toRecorded(results) }));
if (asked.check) {
  const fallen = regressions(results, recorded);
  for (const words of fallen) write(`Fell behind: ${words}.`);
  if (fallen.length > 0) process.exitCode = 1;
}
