import type { LoadedConfig } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import { endAll } from '../../runtime/index.ts';
import { loadMetrics, withMetrics } from '../metrics/index.ts';
import type { Progress } from '../progress/index.ts';
import type { Operator } from '../serve/index.ts';
import { loadTape } from './loadTape.ts';
import { openSocketVenue } from './openSocketVenue.ts';
import type { RunResult } from './RunFailure.ts';
import { runTape, type PaperRun, type RunTapeOptions } from './runTape.ts';
import { serveOperator } from './serveOperator.ts';
import { withEnding } from './withEnding.ts';

export interface RunPaperOptions {
  loaded: LoadedConfig;
  env: Env;
  progress: Progress;
  /** Whether a report will be made; without it, what it draws on the candles is not recorded. */
  charts?: boolean;
  /** Called once the tape and the plugins are loaded, before anything is opened. */
  onLoaded?(): void;
  /** The operator's server answers at this address. */
  onServed?(address: string): void;
  /** True once the user requested a stop. */
  isStopped(): boolean;
  /** Whether the run continues the journal of an earlier one (see `RunTapeOptions`). */
  keepsJournal?: boolean;
}

/**
 * Runs a configuration on the embedded paper service, over real sockets, to the end of its tape:
 * configuration → plugins → service → bot → replay → figures.
 */
export async function runPaper(options: RunPaperOptions): Promise<RunResult<PaperRun>> {
  const { progress, isStopped, charts = false, keepsJournal = false } = options;
  const tape = await loadTape(options.loaded);
  if (!tape.ok) return tape;
  options.onLoaded?.();
  const metrics = await loadMetrics(options.loaded.config);
  const venue = await openSocketVenue(tape.value, withMetrics(options.env, metrics));
  let operator: Operator | undefined;
  const onBot: RunTapeOptions['onBot'] = async (bot, plan, { comparisons }) => {
    const { config } = options.loaded;
    const now = (): number => venue.link.market.now();
    const from = { bot, plan, comparisons, config, env: venue.env, now, metrics };
    const served = await serveOperator({ ...from, service: null, takesCommands: false });
    if (!served.ok || served.value === undefined) return served;
    operator = served.value;
    if (operator.address !== null) options.onServed?.(operator.address);
    return served;
  };
  const run = async (): Promise<RunResult<PaperRun>> => {
    const from = { tape: tape.value, venue, progress, isStopped, charts, keepsJournal, onBot };
    const ran = await runTape(from);
    operator?.ending(ran.ok ? undefined : ran.failure.message);
    return ran;
  };
  return withEnding(() => endAll([() => operator?.close(), () => venue.close()]), run);
}
