import type { BotConfig } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import {
  isVersion,
  latchStage,
  type PlannedStrategy,
  readStage,
  type StageRow,
  versionOf,
} from '../../runtime/index.ts';
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
  config: Pick<BotConfig, 'strategies' | 'directory'>;
  strategies: readonly PlannedStrategy[];
  store: JournalStore;
  env: Pick<Env, 'clock' | 'log'>;
}): Promise<RunResult<PlannedStrategy[]>> {
  const settled: PlannedStrategy[] = [];
  for (const [at, planned] of strategies.entries()) {
    const { name, shadow } = planned;
    const { use } = config.strategies[at]!;
    const row = readStage(store, name);
    const isOpen = row !== undefined && row.stage !== 'shadow';
    const own = { use, directory: config.directory };
    const isOwn = row !== undefined && isVersion(row.version, own);
    if (isOpen && isOwn) {
      await endStage(store, name, { ...row, time: env.clock.wallNow() });
      const text = `${row.version} was promoted and is the strategy's \`use\` now: its stage ends, and it owns what it held`;
      env.log.info(`Strategy ${name}: ${text}`, { strategy: name });
    } else if (isOpen && (shadow === undefined || !isVersion(row.version, shadow)))
      return failed(
        'TRIMTAB_STAGE_REFUSED',
        describeMismatch(name, row, shadow && versionOf(shadow)),
      );
    settled.push({ ...planned, version: store.latch(versionLatch(name))?.value });
  }
  return { ok: true, value: settled };
}

const versionLatch = (name: string): string => `version ${name}`;

/** The identity first: after a crash between the two, the next start ends the stage again. */
async function endStage(store: JournalStore, name: string, row: StageRow): Promise<void> {
  const { version, time } = row;
  const reason = 'its version is the strategy’s own now';
  await store.setLatch(versionLatch(name), { value: version, reason, time });
  await latchStage(store, name, { stage: 'shadow', version, reason, time });
}

function describeMismatch(name: string, row: StageRow, present: string | undefined): string {
  const named = present === undefined ? 'no `shadow`' : `${present} as its \`shadow\``;
  return (
    `Strategy ${name} is at the stage ${row.stage} with ${row.version}, and the configuration has ${named}.\n` +
    `  Name ${row.version} again, as \`shadow\` or as \`use\`; or take the stage back: trimtab promote CONFIG ${name} --back`
  );
}
