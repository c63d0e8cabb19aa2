import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  configHashOf,
  createThreadEngine,
  firstJobs,
  isRun,
  parseParamRange,
  sourceFilesOf,
  toMark,
  type ParamRange,
  type SweepPlan,
} from '../../index.ts';
import { loadConfigText } from '../../../src/config/index.ts';
import { tapeOf } from '../../../src/paper/index.ts';
import { CONFIG, loadCross } from './smaCross.ts';

/** `sweepPoints.ts --bars N --threads N RANGE…`: a sweep of the crossing; prints its points a second. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bars: { type: 'string' }, threads: { type: 'string' } },
});
const threads = Number(values.threads);
const { data } = await loadCross('fusedCross.ts', Number(values.bars));
const text = await readFile(CONFIG, 'utf8');
const loaded = await loadConfigText(CONFIG, text);
if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
const plan: SweepPlan = {
  config: CONFIG,
  configHash: configHashOf(text),
  sources: sourceFilesOf(loaded.config, []).map(toMark),
  feeds: [],
  set: [],
  seed: null,
  params: positionals.map(rangeOf),
  random: null,
  range: {},
  walk: null,
  objective: 'sharpe',
  tape: tapeOf(data),
};
const jobs = [...firstJobs(plan, { from: 0, until: Number.MAX_SAFE_INTEGER })];
const seen = new Set<number>();
const start = process.hrtime.bigint();
const engine = createThreadEngine({ plan, text, data }, { threads });
await engine.run({
  jobs,
  onResult(result) {
    if (!isRun(result)) throw new Error(`Point ${result.index}: ${result.fault}`);
    seen.add(result.index);
  },
  isStopped: () => false,
});
await engine.close();
if (seen.size !== jobs.length) throw new Error(`${seen.size} of ${jobs.length} points ran.`);
const seconds = Number(process.hrtime.bigint() - start) / 1e9;
process.stdout.write(JSON.stringify({ points: jobs.length, seconds }));

function rangeOf(text: string): ParamRange {
  const read = parseParamRange(text);
  if (!read.ok) throw new Error(read.reason);
  return read.range;
}
