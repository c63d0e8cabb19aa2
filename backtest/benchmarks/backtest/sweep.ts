import { execFile, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compare, type ComparisonResult, type Contender, type Rates } from '../harness.ts';

const PROGRAM = join(import.meta.dirname, 'sweepPoints.ts');
const NODE = [process.execPath, '--conditions=trimtab-source'];
const ONE_CORE = ['taskset', '--cpu-list', '0'];
const BARS = 50_000;
/** 10 × 100 points. */
const RANGES = ['fast=5..50:5', 'slow=51..150'];
/** Threads share bars and work: another core adds almost a full core. */
const NEAR_IDEAL = 0.95;

/** Why a process can't be pinned to one core here; undefined if it can. */
export function sweepUnavailable(): string | undefined {
  const [program, ...args] = ONE_CORE;
  if (spawnSync(program!, [...args, process.execPath, '--version']).status === 0) return undefined;
  return 'it holds a process to one core with taskset, which is not here';
}

/**
 * A sweep of 1,000 backtests on one core of the machine and on all of them, each in its own process:
 * points per second of wall time. One thread alone leaves another core to the collector and the compiler.
 */
export function benchSweep(): Promise<ComparisonResult[]> {
  const cores = availableParallelism();
  const contenders: [Contender, ...Contender[]] = [
    { name: 'one core', run: () => sweepOnce(1, ONE_CORE) },
    { name: '1 thread', run: () => sweepOnce(1) },
    { name: `${cores} threads`, run: () => sweepOnce(cores), goal: cores * NEAR_IDEAL },
  ];
  // A contender takes minutes, and each thread warms up within its first point.
  const name = `backtest/sweep: 1,000 points, ${BARS.toLocaleString('en-US')} bars`;
  return compare({ name, contenders, rounds: 1, warmUps: 0 });
}

async function sweepOnce(threads: number, before: readonly string[] = []): Promise<Rates> {
  const flags = [`--bars=${BARS}`, `--threads=${threads}`, ...RANGES];
  const [program, ...args] = [...before, ...NODE, PROGRAM, ...flags];
  const { stdout } = await promisify(execFile)(program!, args);
  const { points, seconds } = JSON.parse(stdout) as { points: number; seconds: number };
  return { 'points/s': points / seconds };
}
