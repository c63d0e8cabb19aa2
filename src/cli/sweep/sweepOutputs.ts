import { dirname, join, parse, resolve } from 'node:path';
import {
  openResults,
  ResultsDiffer,
  ResultsRefusal,
  ResultsUnwritable,
  type Results,
  type ResultsOptions,
  type SweepPlan,
} from '../../../backtest/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';
import { prepareOutput, requireDistinct } from '../output/prepareOutput.ts';

/** The files of a sweep: the results, and what is written beside them. */
export interface SweepFiles {
  results: string;
  csv: string;
  report: string;
  /** Only where it is asked for. */
  parquet?: string;
}

export function filesBeside(out: string, { parquet = false } = {}): SweepFiles {
  const results = resolve(out);
  const beside = (ending: string): string =>
    join(dirname(results), `${parse(results).name}.${ending}`);
  const files = { results, csv: beside('csv'), report: beside('html') };
  return parquet ? { ...files, parquet: beside('parquet') } : files;
}

/** @throws CommandFailure if one can't be written, or is another file than it should be */
export function prepareSweepFiles(files: SweepFiles, force: boolean): void {
  requireDistinct([
    ['--out', files.results],
    ['the table beside it', files.csv],
    ['the page beside it', files.report],
    ['--parquet', files.parquet],
  ]);
  prepareResults(files.results);
  prepareOutput('--out', files.csv, { kind: 'sweep_table', force });
  prepareOutput('--out', files.report, { kind: 'page', force });
  if (files.parquet === undefined) return;
  prepareOutput('--parquet', files.parquet, { kind: 'sweep_parquet', force });
}

/** Earlier results are continued or refused, never overwritten. */
export const prepareResults = (path: string): void =>
  prepareOutput('--out', path, { kind: 'sweep_results', force: null });

/** @throws CommandFailure for a file that is not of this plan */
export function openSweepResults(path: string, plan: SweepPlan, options: ResultsOptions): Results {
  try {
    return openResults(path, plan, options);
  } catch (error) {
    throw toResultsFailure(error);
  }
}

/** A failure of a results file as one of the command; anything else as it is. */
export function toResultsFailure(error: unknown): unknown {
  if (error instanceof ResultsRefusal) {
    return new CommandFailure('TRIMTAB_SWEEP_RESULTS_REFUSED', error.message);
  }
  if (error instanceof ResultsUnwritable) {
    return new CommandFailure('TRIMTAB_SWEEP_RESULTS_UNWRITABLE', error.message, 1, {
      cause: error,
    });
  }
  if (error instanceof ResultsDiffer) {
    const message = `${error.message}\n  A strategy decides by chance or by the machine; trimtab check finds it.`;
    return new CommandFailure('TRIMTAB_SWEEP_RESULTS_DIFFER', message);
  }
  return error;
}
