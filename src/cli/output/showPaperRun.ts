import { relative } from 'node:path';
import { formatEnds, formatTable } from '../../operate/index.ts';
import {
  renderReport,
  reportJson,
  type ReportCheck,
  type ReportData,
} from '../../operate/report/index.ts';
import type { PaperRun } from '../../operate/run/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';
import { createLateFailures } from '../failures/createLateFailures.ts';
import { failOnAny, requireAccepted, type FailOn } from '../failures/failOnOutcome.ts';
import { besideJson, writeJson } from './jsonOutput.ts';
import { writeOutput } from './writeOutput.ts';
import { INTERRUPTED } from '../process/stopOnSignals.ts';

/**
 * Shows the result of a paper run: table, refusals, hash, the requested files.
 *
 * @throws CommandFailure for a run that did not end as it should
 */
export async function showPaperRun(
  run: PaperRun,
  show: {
    file: string | null;
    json?: string;
    failOn?: readonly FailOn[];
    beforeVerdict?(): void | Promise<void>;
  },
): Promise<void> {
  const { data, suppressed, refusals, delays, lives } = run;
  const { strategies, totals, hash, liquidations = [] } = data;
  const out = besideJson(show.json);
  out.write(`\n${formatTable({ strategies, totals, hash })}`);
  out.write(formatEnds({ liquidations, refusals, delays, suppressed, lives }));
  // Where nothing was filled at all, that is the whole explanation.
  const note = run.unfilled ?? run.cut;
  if (note !== undefined) out.write(`${note}\n`);
  for (const feeds of run.unequal) process.stderr.write(`${feeds}\n`);
  if (data.check !== undefined) out.write(formatVerdict(data.check));
  const late = createLateFailures();
  if (show.file !== null || show.json !== undefined) {
    const whole = { ...data, about: run.about() };
    if (show.file !== null) await write(out, show.file, renderReport(whole));
    const { json } = show;
    if (json !== undefined) await late.of(() => writeFigures(json, whole));
  }
  await late.end(async () => {
    await show.beforeVerdict?.();
    requireSuccess(run, show.failOn);
  });
}

/** @throws CommandFailure for a run that did not end as it should */
function requireSuccess(
  { data, quarantined, interruptedAt, malformed, refusals }: PaperRun,
  failOn?: readonly FailOn[],
): void {
  if (quarantined.length > 0) {
    throw new CommandFailure(
      'TRIMTAB_STRATEGY_ENDED',
      `Quarantined before the end of the run:\n${quarantined.join('\n')}`,
    );
  }
  if (interruptedAt !== undefined) {
    const at = new Date(interruptedAt).toISOString();
    throw new CommandFailure(
      'TRIMTAB_INTERRUPTED',
      `Interrupted at ${at} of the replay.`,
      INTERRUPTED,
    );
  }
  if (malformed > 0) {
    throw new CommandFailure(
      'TRIMTAB_RUN_MALFORMED_INTENTS',
      `${malformed === 1 ? 'One intent was' : `${malformed} intents were`} malformed and not sent; the log above names each field.`,
    );
  }
  const evaluated = { totals: data.totals, refusals };
  requireAccepted(evaluated);
  failOnAny(evaluated, failOn);
}

/** @throws CommandFailure for the bars of many symbols and years, which are longer than a text can be */
async function writeFigures(file: string, data: ReportData): Promise<void> {
  let text: string;
  try {
    text = reportJson(data);
  } catch (error) {
    if (!(error instanceof RangeError && error.message === 'Invalid string length')) throw error;
    const what = `--json: ${file} is not written: the figures of this run are longer than 512 MB.`;
    const remedy = 'Take fewer symbols, a shorter --timerange or longer bars.';
    const cause = { cause: error };
    throw new CommandFailure('TRIMTAB_OUTPUT_UNWRITABLE', `${what}\n  ${remedy}`, 1, cause);
  }
  await writeJson('figures', file, text);
}

/** What `--check` found, in a line for each finding. */
function formatVerdict({ findings, runs }: ReportCheck): string {
  const lines = findings.map(
    ({ check, time, strategy, words }) =>
      `check: ${check}: ${strategy}, bar closed ${new Date(time).toISOString()}: ${words.join(' ')}\n`,
  );
  return lines.length > 0 ? lines.join('') : `check: nothing found in ${runs} backtests\n`;
}

async function write(out: NodeJS.WritableStream, file: string, text: string): Promise<void> {
  await writeOutput(file, text);
  out.write(`report: ${relative(process.cwd(), file)}\n`);
}
