import type { BotConfig } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { PlannedStrategy } from '../../runtime/index.ts';
import type { CommandTarget } from '../journal/index.ts';
import {
  describeForeign,
  describeTakingBack,
  endStage,
  readOpenStage,
  versionLatch,
} from '../control/index.ts';
import { failed, type RunResult } from './RunFailure.ts';

/**
 * The strategies under the identity that their journal knows. A stage whose version became the strategy's own
 * `use` ends here, and its identity and state go on; one that the configuration no longer has is refused, since
 * another version would trade what that one holds.
 */
export async function settleStages({
  config,
  strategies,
  store,
  env,
}: {
  config: CommandTarget & Pick<BotConfig, 'strategies' | 'directory'>;
  strategies: readonly PlannedStrategy[];
  store: JournalStore;
  env: Pick<Env, 'clock' | 'log'>;
}): Promise<RunResult<PlannedStrategy[]>> {
  const settled: PlannedStrategy[] = [];
  for (const [at, planned] of strategies.entries()) {
    const { name, shadow } = planned;
    const { use, symbols } = config.strategies[at]!;
    const own = { use, directory: config.directory };
    const open = readOpenStage(store, name, { own, shadow });
    if (open.version === 'own') {
      const { version } = open.row;
      await endStage(store, name, { version, time: env.clock.wallNow() });
      const text = `${version} was promoted and is the strategy's \`use\` now: its stage ends, and it owns what it held`;
      env.log.info(`Strategy ${name}: ${text}`, { strategy: name });
    } else if (open.version === 'foreign') {
      const back = describeTakingBack(config, { name, symbols }, open.row);
      return failed(
        'TRIMTAB_STAGE_REFUSED',
        `Strategy ${name} is ${describeForeign(open.row, shadow)}.\n` +
          `  Name ${open.row.version} again, as \`shadow\` or as \`use\`; or ${back}`,
      );
    }
    settled.push({ ...planned, version: store.latch(versionLatch(name))?.value });
  }
  return { ok: true, value: settled };
}
