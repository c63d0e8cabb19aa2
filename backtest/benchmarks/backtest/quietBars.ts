import { compare, processorSeconds, type ComparisonResult, type Contender } from '../harness.ts';
import { rawCross } from './rawCross.ts';
import { loadCross, runCross, WARM_UP } from './smaCross.ts';

const BARS = 1_000_000;
/** The floor takes some milliseconds; so often it is measured under the same load as the others. */
const FLOOR_RUNS = 50;
/** A crossing upwards comes every 56 bars or so. */
const ONE_IN_500 = 9;

interface Quiet {
  name: string;
  params: string[];
  goal?: number;
}

const QUIET: readonly Quiet[] = [
  { name: 'stock operators, no orders', params: ['operators=stock'], goal: 1 / 35 },
  { name: 'own operators, no orders', params: ['operators=own'], goal: 1 / 15 },
  {
    name: 'stock operators, a position held',
    params: ['operators=stock', 'holds=true'],
    goal: 1 / 50,
  },
  { name: 'own operators, a position held', params: ['operators=own', 'holds=true'] },
  {
    name: 'own operators, one order in 500 bars',
    params: ['operators=own', `every=${ONE_IN_500}`],
    goal: 1 / 20,
  },
];

/** What a bar costs on which nothing is decided, bars a second of processor time, against the raw loop. */
export async function benchQuietBars(): Promise<ComparisonResult[]> {
  const tape = await loadCross('rareCross.ts', BARS, { params: paramsOf(QUIET[0]!) });
  const { data } = tape;
  const floor = (): void => {
    for (let run = 0; run < FLOOR_RUNS; run++) rawCross(data.feeds[0]!, WARM_UP);
  };
  const rateOf = async (bars: number, work: () => unknown) => ({
    'bars/CPU-s': bars / (await processorSeconds(work)),
  });
  const contenders: [Contender, ...Contender[]] = [
    { name: 'raw loop', run: () => rateOf(BARS * FLOOR_RUNS, floor) },
  ];
  for (const quiet of QUIET) {
    const { name, goal } = quiet;
    const loaded = { ...(await loadCross('rareCross.ts', 2, { params: paramsOf(quiet) })), data };
    let fills = 0;
    contenders.push({
      name,
      run: () =>
        rateOf(BARS, async () => {
          fills = (await runCross(loaded)).data.fills.length;
        }),
      note: () => `${fills} orders filled`,
      ...(goal === undefined ? {} : { goal }),
    });
  }
  return compare({ name: 'backtest/quiet-bars: one-minute bars', contenders });
}

/** For the strategy of the configuration, by its name. */
function paramsOf({ params }: Quiet): string[] {
  return params.map((one) => `cross.${one}`);
}
