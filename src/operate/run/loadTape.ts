import type { LoadedConfig, PaperLinkConfig } from '../../config/index.ts';
import type { Dialect } from '../../contract/index.ts';
import { describeFeedProblem } from '../../paper/feed/index.ts';
import { loadMarketData, type MarketData, type PaperSettings } from '../../paper/index.ts';
import type { PlannedStrategy } from '../../runtime/index.ts';
import { whyNothingToReplay } from './checkTape.ts';
import { loadDialect } from './loadDialect.ts';
import { loadStrategies } from './loadStrategies.ts';
import { failed, type RunResult } from './RunFailure.ts';

/** The parts of a run on a tape, read and checked. */
export interface LoadedTape {
  loaded: LoadedConfig;
  dialect: Dialect;
  paper: PaperSettings;
  data: MarketData;
  strategies: PlannedStrategy[];
}

/**
 * Configuration → plugins, market data, dialect; or the first problem.
 *
 * @param known market data that was read before, of exactly the feeds that the configuration names
 */
export async function loadTape(
  loaded: LoadedConfig,
  known?: MarketData,
): Promise<RunResult<LoadedTape>> {
  const { paper } = loaded.config.link as PaperLinkConfig;
  const strategies = await loadStrategies(loaded);
  if (!strategies.ok) return strategies;
  const data =
    known === undefined ? await loadMarketData(paper) : { ok: true as const, value: known };
  if (!data.ok) return failed('TRIMTAB_DATA_REFUSED', describeFeedProblem(data.problem));
  const nothing = whyNothingToReplay(data.value.feeds, paper.warmup);
  if (nothing !== undefined) return failed('TRIMTAB_TAPE_NOTHING_TO_TRADE', nothing);
  const spoken = await loadDialect(loaded.config);
  if (!spoken.ok) return spoken;
  const dialect = spoken.value;
  const value = { loaded, dialect, paper, data: data.value, strategies: strategies.value };
  return { ok: true, value };
}
