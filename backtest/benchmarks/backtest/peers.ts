import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  compare,
  processorSeconds,
  type ComparisonResult,
  type Contender,
  type Rates,
} from '../harness.ts';
import { rawCross } from './rawCross.ts';
import { loadCross, runCross, WARM_UP } from './smaCross.ts';

const FOLDER = join(import.meta.dirname, '..', 'peers');
const BARS = 100_000;
/**
 * The floor takes half a millisecond; with this many repetitions it is measured under the same load as
 * the others.
 */
const FLOOR_RUNS = 200;

interface Peer {
  /** Package, and its module in `peers/`. */
  name: string;
  module: string;
  /** Share of the bars that slow peers get: only their rate counts. */
  bars: number;
  /** Share of the crossings that it may miss because of the way it trades. */
  tolerance: number;
  kind: Kind;
  /** What it does and does not do, beside the crossings. */
  does: string;
}

/**
 * An engine processes orders bar by bar, as Trimtab does; `arrays` computes whole columns, without
 * orders; `loop` is our loop around the peer's averages. Only an engine is comparable with the whole
 * path.
 */
type Kind = 'engine' | 'arrays' | 'bare loop';

const PEERS: readonly Peer[] = [
  {
    name: 'grademark',
    module: 'grademark',
    bars: 20_000,
    // It closes at the next open and enters at the one after: crossings back meanwhile are lost.
    tolerance: 0.1,
    kind: 'engine',
    does: 'fills at the next open, no fees, equity or drawdown',
  },
  {
    name: 'trade',
    module: 'trade',
    // It renders tables for a disabled log.
    bars: 2_000,
    tolerance: 0,
    kind: 'engine',
    does: 'fills at the next open, equity, drawdown, no fees',
  },
  {
    name: '@backtest/framework',
    module: 'backtestFramework',
    // At each request for prices it searches all bars and copies those up to the current one.
    bars: 5_000,
    tolerance: 0,
    kind: 'engine',
    does: 'fees, equity, drawdown, its database in memory; more bars cost it more each',
  },
  {
    name: 'indicatorts',
    module: 'indicatorts',
    bars: BARS,
    tolerance: 0,
    kind: 'arrays',
    does: 'no fees, orders or drawdown',
  },
  {
    name: 'technicalindicators',
    module: 'technicalindicators',
    bars: BARS,
    tolerance: 0,
    kind: 'bare loop',
    does: 'averages; fees and drawdown by our loop',
  },
  {
    name: 'trading-signals',
    module: 'tradingSignals',
    bars: BARS,
    tolerance: 0,
    kind: 'bare loop',
    does: 'averages; fees and drawdown by our loop',
  },
];

/** How to install the peers if they are missing; undefined if they are installed. */
export function peersUnavailable(): string | undefined {
  const missing = PEERS.filter(({ name }) => !existsSync(manifestOf(name)));
  if (missing.length === 0) return undefined;
  const names = missing.map(({ name }) => name).join(', ');
  return `${names} not installed; run npm ci --ignore-scripts --prefix backtest/benchmarks/peers`;
}

const manifestOf = (name: string): string => join(FOLDER, 'node_modules', name, 'package.json');

/** SMA 10/30 cross on the same closes: the whole public path against peers, each in its process. */
export async function benchPeers(): Promise<ComparisonResult[]> {
  const fused = await loadCross('fusedCross.ts', BARS);
  const stock = { ...(await loadCross('stockCross.ts', 2)), data: fused.data };
  const feed = fused.data.feeds[0]!;
  const crossingsIn = (bars: number): number =>
    rawCross({ ...feed, close: feed.close.subarray(0, bars) }, WARM_UP).fills;
  const floor = (): void => {
    for (let run = 0; run < FLOOR_RUNS; run++) rawCross(feed, WARM_UP);
  };
  const rateOf = async (bars: number, work: () => unknown): Promise<Rates> => ({
    'bars/CPU-s': bars / (await processorSeconds(work)),
  });
  const ours = async (tape: typeof fused): Promise<void> => {
    const { data } = await runCross(tape);
    checkCrossings('trimtab', data.fills.length, crossingsIn(feed.close.length), 0);
  };
  const running = PEERS.map((peer) => {
    const closes = feed.close.slice(0, peer.bars);
    return startPeer(peer, closes, crossingsIn(peer.bars));
  });
  const noteOf = (kind: Kind, does: string) => () => `${kind}: ${does}`;
  const wholePath = noteOf('engine', 'guards, journal, orders, fees, equity, drawdown');
  const contenders: [Contender, ...Contender[]] = [
    { name: 'own operators', run: () => rateOf(BARS, () => ours(fused)), note: wholePath },
    { name: 'stock operators', run: () => rateOf(BARS, () => ours(stock)), note: wholePath },
    {
      name: 'raw loop',
      run: () => rateOf(BARS * FLOOR_RUNS, floor),
      note: noteOf('bare loop', 'fees, drawdown'),
    },
    ...running.map(({ contender }) => contender),
  ];
  try {
    const name = 'backtest/peers: SMA cross, one-minute bars';
    return await compare({ name, contenders, isBaselineCompared: true });
  } finally {
    for (const { child } of running) child.kill();
  }
}

function startPeer(peer: Peer, closes: Float64Array, expected: number) {
  const { version } = JSON.parse(readFileSync(manifestOf(peer.name), 'utf8')) as {
    version: string;
  };
  const child = fork(join(FOLDER, 'servePeer.js'), [peer.module], { serialization: 'advanced' });
  child.send({ closes });
  let note = '';
  const run = async (): Promise<Rates> => {
    const { crossings, runs, seconds } = await measureOnce(child, peer.name);
    checkCrossings(peer.name, crossings, expected, peer.tolerance);
    note = `${peer.kind}, ${version}: ${crossings} of ${expected} crossings in ${closes.length} bars; ${peer.does}`;
    return { 'bars/CPU-s': (closes.length * runs) / seconds };
  };
  const contender: Contender = { name: peer.name, run, note: () => note };
  return { child, contender };
}

interface Measured {
  crossings: number;
  runs: number;
  seconds: number;
}

async function measureOnce(child: ChildProcess, name: string): Promise<Measured> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const ended = once(child, 'exit', { signal }).then(([code]): never => {
      throw new Error(`${name} ended with ${code}.`);
    });
    const answer = once(child, 'message', { signal });
    child.send({});
    return (await Promise.race([answer, ended]))[0] as Measured;
  } finally {
    over.abort();
  }
}

/** A peer that does less of the work is not comparable: a run with other trades is refused. */
function checkCrossings(name: string, found: number, expected: number, tolerance: number): void {
  if (Math.abs(found - expected) <= expected * tolerance) return;
  throw new Error(
    `${name} traded ${found} crossings where ${expected} ± ${tolerance * 100} % are.`,
  );
}
