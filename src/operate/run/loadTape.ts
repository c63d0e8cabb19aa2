import type { LoadedConfig, PaperLinkConfig } from '../../config/index.ts';
import type { Dialect } from '../../contract/index.ts';
import { describeFeedProblem } from '../../paper/feed/index.ts';
import {
  loadMarketData,
  type Feed,
  type MarketData,
  type PaperSettings,
} from '../../paper/index.ts';
import type { PlannedStrategy } from '../../runtime/index.ts';
import type { FreshImport, Strategy } from '../../strategy/index.ts';
import { explainNothingToReplay } from './explainNothingToReplay.ts';
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

/** What a program has in memory already, so that nothing is read for it. */
export interface TapeInputs {
  /** Market data of exactly the feeds that the configuration names. */
  data?: MarketData | undefined;
  /** Feeds by symbol; those that are missing are read. */
  feeds?: ReadonlyMap<string, Feed>;
  /** Plugins by the configuration's `use`. */
  plugins?: ReadonlyMap<string, Strategy>;
  /** Takes the files of plugins and of the dialect as they are now; default: as they were when first imported. */
  fresh?: FreshImport;
}

/** Configuration → plugins, market data, dialect; or the first problem. */
export async function loadTape(
  loaded: LoadedConfig,
  known: TapeInputs = {},
): Promise<RunResult<LoadedTape>> {
  const { paper } = loaded.config.link as PaperLinkConfig;
  const strategies = await loadStrategies(loaded, known.plugins, known.fresh);
  if (!strategies.ok) return strategies;
  const data =
    known.data === undefined
      ? await loadMarketData(paper, '.', known.feeds)
      : { ok: true as const, value: known.data };
  if (!data.ok) return failed('TRIMTAB_DATA_REFUSED', describeFeedProblem(data.problem));
  const nothing = explainNothingToReplay(data.value.feeds, paper.warmup);
  if (nothing !== undefined) return failed('TRIMTAB_TAPE_NOTHING_TO_TRADE', nothing);
  const spoken = await loadDialect(loaded.config, known.fresh);
  if (!spoken.ok) return spoken;
  const dialect = spoken.value;
  const value = { loaded, dialect, paper, data: data.value, strategies: strategies.value };
  return { ok: true, value };
}
