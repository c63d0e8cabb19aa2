import { fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { shownValue } from '../ParamRange.ts';
import { FIGURES } from '../PointResult.ts';
import type { SweepOutcome } from '../runSweep.ts';
import type { SweepJob, SweepPlan } from '../SweepPlan.ts';
import { shownFigures } from '../objectiveOf.ts';
import { hasRun, type PointReturns } from './SweepResults.ts';

/** Rows of a group, which is in memory as a whole: with years of daily returns some tens of MB. */
const GROUP = 5_000;

/**
 * Writes a row a job into a Parquet file, by the index of the job: `job`, `window`, `part`, `param_NAME` for each
 * parameter (numbers, where all of its values are), the figures, `fault`, and `daily_returns` as a list. A ratio that
 * has no divisor because nothing was lost is infinite.
 *
 * @throws if the file can't be written
 */
export function writeParquet(
  path: string,
  plan: Pick<SweepPlan, 'params'>,
  outcome: Pick<SweepOutcome, 'jobs' | 'tests' | 'results'>,
): void {
  const columns = columnsOf(plan);
  const schema = [
    { name: 'root', num_children: columns.length },
    ...columns.flatMap((column) => column.schema),
  ];
  const writer = new ParquetWriter({ writer: fileWriter(path), schema, createdBy: 'trimtab' });
  let group: Cell[][] = [];
  const write = (): void => {
    if (group.length === 0) return;
    const columnData = columns.map(({ name }, at) => {
      return { name, data: group.map((cells) => cells[at]) };
    });
    void writer.write({ columnData, rowGroupSize: GROUP });
    group = [];
  };
  for (const cells of rowsOf(plan, outcome)) {
    group.push(cells);
    if (group.length === GROUP) write();
  }
  write();
  void writer.finish();
}

type Cell = number | string | null | readonly number[];

interface Column {
  name: string;
  schema: SchemaElement[];
}

function columnsOf({ params }: Pick<SweepPlan, 'params'>): Column[] {
  return [
    { name: 'job', schema: [{ name: 'job', type: 'INT32', repetition_type: 'REQUIRED' }] },
    { name: 'window', schema: [{ name: 'window', type: 'INT32', repetition_type: 'OPTIONAL' }] },
    text('part'),
    ...params.map(({ name, values }) =>
      values.every(isNumber) ? number(`param_${name}`) : text(`param_${name}`),
    ),
    ...FIGURES.map((name) => (name === 'hash' ? text(name) : number(name))),
    text('fault'),
    numbers('daily_returns'),
  ];
}

const number = (name: string): Column => ({
  name,
  schema: [{ name, type: 'DOUBLE', repetition_type: 'OPTIONAL' }],
});

const text = (name: string): Column => ({
  name,
  schema: [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }],
});

/** The three levels of a list, as the format asks for. */
const numbers = (name: string): Column => ({
  name,
  schema: [
    { name, converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'DOUBLE', repetition_type: 'REQUIRED' },
  ],
});

const isNumber = (value: string): boolean => value.trim() !== '' && Number.isFinite(Number(value));

function nextOf(returns: Iterator<PointReturns>): number[] {
  const next = returns.next();
  return next.done === true ? [] : Array.from(next.value.returns);
}

function* rowsOf(
  { params }: Pick<SweepPlan, 'params'>,
  { jobs, tests, results }: Pick<SweepOutcome, 'jobs' | 'tests' | 'results'>,
): Generator<Cell[]> {
  const areNumbers = params.map(({ values }) => values.every(isNumber));
  const byIndex = new Map(tests.map((job) => [job.index, job]));
  const returns = results.returns()[Symbol.iterator]();
  for (const outline of results.outlines()) {
    const { index } = outline;
    // Both are ascending, and every point that ran has returns.
    const own = hasRun(outline) ? nextOf(returns) : null;
    const job: SweepJob | undefined = index < jobs.length ? jobs.at(index) : byIndex.get(index);
    if (job === undefined) continue;
    const figures = shownFigures(outline, results);
    yield [
      index,
      job.window,
      job.part,
      ...job.values.map((value, at) =>
        areNumbers[at] === true ? Number(value) : shownValue(value),
      ),
      ...FIGURES.map((name) => figures?.[name] ?? null),
      hasRun(outline) ? null : outline.fault,
      own,
    ];
  }
}
