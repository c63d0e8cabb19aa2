import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolFlags } from '../readToolFlags.ts';
import { createCountProgress } from '../../src/operate/progress/index.ts';
import { drawScenario, FAMILIES, seedOf } from './Scenario.ts';
import { formatOverload, isWithinGoals } from './formatOverload.ts';
import { formatHour, formatSoak, isFlat } from './formatSoak.ts';
import { formatModel, measureModels } from './measureModels.ts';
import { measureOverload } from './measureOverload.ts';
import { createLeak } from './createLeak.ts';
import { extendLedger, formatLedger } from './ledger.ts';
import { findTeeth, medianSeed } from './findTeeth.ts';
import { shrink } from './shrink.ts';
import { soak } from './soak.ts';
import { simulate } from './simulate.ts';

const values = toolFlags({
  options: {
    seeds: { type: 'string', default: '100' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    teeth: { type: 'boolean', default: false },
    'keep-going': { type: 'boolean', default: false },
    family: { type: 'string', default: '' },
    from: { type: 'string', default: '1' },
    overload: { type: 'boolean', default: false },
    soak: { type: 'string' },
    leak: { type: 'boolean', default: false },
    models: { type: 'boolean', default: false },
    hours: { type: 'string', default: '100' },
    ledger: { type: 'string' },
  },
  modes: {
    '': ['seeds', 'from', 'family', 'keep-going', 'trace'],
    seed: ['trace'],
    teeth: ['seeds'],
    models: ['seeds'],
    overload: ['hours', 'from'],
    ledger: ['hours', 'from'],
    soak: ['seed', 'leak'],
  },
  counts: ['seeds', 'from', 'hours'],
});

if (values.soak !== undefined && !/^[1-9]\d*d$/.test(values.soak)) {
  process.stderr.write(`--soak ${values.soak}: a number of days is expected, such as 7d.\n`);
  process.exit(1);
}

const family = FAMILIES.find((one) => one === values.family);
if (family === undefined) {
  const known = FAMILIES.filter((one) => one !== '').join(', ');
  process.stderr.write(`--family ${values.family}: one of ${known} is expected.\n`);
  process.exit(1);
}

function print(text: string): void {
  // A progress line may be on the terminal.
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  process.stdout.write(`${text}\n`);
}

async function runOne(seed: string): Promise<boolean> {
  const scenario = drawScenario(seed);
  const result = await simulate(scenario, { traced: values.trace });
  if (values.trace) for (const line of result.trace) print(line);
  if (result.violation === null) return true;
  print(`seed ${seed}: ${result.violation.message}`);
  const small = await shrink(scenario, result.violation.invariant);
  print(`  service ${JSON.stringify(small.service)}`);
  print(`  bot     ${JSON.stringify(small.bot)}`);
  for (const fault of small.faults) print(`  fault   ${JSON.stringify(fault)}`);
  return false;
}

const CORPUS = new URL('corpus.json', import.meta.url);
const readCorpus = () =>
  JSON.parse(readFileSync(CORPUS, 'utf8')) as Array<{ seed: string; found: string }>;

/** From now on each run holds it; who mends it says what it found. */
function addToCorpus(seed: string, found: string): void {
  writeFileSync(CORPUS, `${JSON.stringify([...readCorpus(), { seed, found }], null, 2)}\n`);
}

/** Hours between two reports of a long run. */
const REPORTED = 100;

const started = process.hrtime.bigint();
let failed = 0;
let done = 0;
if (values.teeth) {
  const teeth = await findTeeth(Number(values.seeds), ({ name, seed, invariant }) =>
    print(`${name}: ${seed === null ? 'NOT FOUND' : `seed ${seed}, ${invariant}`}`),
  );
  failed = teeth.filter(({ seed }) => seed === null).length;
  print(`${teeth.length} planted bugs, median seed ${medianSeed(teeth)}`);
} else if (values.soak !== undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-soak-'));
  const hours = await soak({
    hours: Number.parseInt(values.soak, 10) * 24,
    seed: values.seed ?? 'soak',
    journal: join(folder, 'journal.sqlite'),
    plant: values.leak ? createLeak() : undefined,
    onHour: (hour) => print(formatHour(hour)),
  });
  rmSync(folder, { recursive: true });
  print(formatSoak(hours));
  failed = isFlat(hours) ? 0 : 1;
} else if (values.ledger !== undefined) {
  const end = started + BigInt(values.hours) * 3_600_000_000_000n;
  let isStopped = false;
  process.once('SIGINT', () => (isStopped = true));
  const ledger = await extendLedger({
    file: values.ledger,
    from: Number(values.from),
    isOver: () => isStopped || process.hrtime.bigint() >= end,
    onFailed({ seed, message, faults }) {
      failed++;
      print(`seed ${seed}: ${message} [${faults.join(', ')}]`);
      addToCorpus(seed, message);
    },
  }).catch((error: unknown) => {
    process.stderr.write(`--ledger: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
  print(formatLedger(ledger));
} else if (values.models) {
  const models = await measureModels(Number(values.seeds), (row) => print(formatModel(row)));
  failed = models.filter(({ violations }) => violations.length > 0).length;
  print(`${models.length - failed} of ${models.length} models without a double`);
} else if (values.overload) {
  const hours = Number(values.hours);
  const seeds = Array.from({ length: hours }, (_, index) => String(Number(values.from) + index));
  const figures = await measureOverload(seeds, (soFar) => {
    if (soFar.hours % REPORTED === 0 && soFar.hours < hours) print(`${formatOverload(soFar)}\n`);
  });
  print(formatOverload(figures));
  failed = isWithinGoals(figures) ? 0 : 1;
} else if (values.seed !== undefined) {
  failed += (await runOne(values.seed)) ? 0 : 1;
  done = 1;
} else {
  const corpus = readCorpus();
  const count = Number(values.seeds);
  const seeds = [
    ...corpus.map(({ seed }) => seed),
    ...Array.from({ length: count }, (_, index) => seedOf(Number(values.from) + index, family)),
  ];
  const report = createCountProgress({
    stream: process.stderr,
    now: () => Number(process.hrtime.bigint()) / 1e6,
    unit: 'seeds',
  });
  for (const seed of seeds) {
    report({ done, total: seeds.length, failed });
    if (!(await runOne(seed))) failed++;
    done++;
    if (done === seeds.length) report({ done, total: seeds.length, failed });
    if (failed > 0 && !values['keep-going']) break;
  }
}
const minutes = Number(process.hrtime.bigint() - started) / 60e9;
if (done > 0) {
  print(
    `${done} seeds, ${failed} failed, ${Math.round(done / minutes)} seeds a minute on one core`,
  );
}
process.exitCode = failed === 0 ? 0 : 1;
