import type { JournalStore } from '../../journal/index.ts';
import {
  isVersion,
  latchStage,
  type PlannedShadow,
  readStage,
  type StageRow,
  versionOf,
} from '../../runtime/index.ts';

type Plugin = Pick<PlannedShadow, 'use' | 'directory'>;

/** A strategy as the configuration has it: its own version, and the new one. */
export interface PresentVersions {
  own: Plugin;
  shadow: Plugin | undefined;
}

/** A promoted version that trades, and what it is in the configuration; `foreign`: neither of its versions. */
export interface OpenStage {
  row: StageRow;
  version: 'own' | 'shadow' | 'foreign';
}

/** @returns undefined where the former version trades */
export function readOpenStage(
  store: Pick<JournalStore, 'latch'>,
  instance: string,
  { own, shadow }: PresentVersions,
): OpenStage | undefined {
  const row = readStage(store, instance);
  if (row === undefined || row.stage === 'shadow') return undefined;
  if (isVersion(row.version, own)) return { row, version: 'own' };
  const isShadow = shadow !== undefined && isVersion(row.version, shadow);
  return { row, version: isShadow ? 'shadow' : 'foreign' };
}

export const versionLatch = (instance: string): string => `version ${instance}`;

/**
 * Ends the stage of a version that is the strategy's own. The identity first: after a crash between the two, the next
 * start ends the stage again.
 */
export async function endStage(
  store: Pick<JournalStore, 'setLatch'>,
  instance: string,
  { version, time }: Pick<StageRow, 'version' | 'time'>,
): Promise<void> {
  const reason = 'its version is the strategy’s own now';
  await store.setLatch(versionLatch(instance), { value: version, reason, time });
  await latchStage(store, instance, { stage: 'shadow', version, reason, time });
}

/** Of a foreign version: another one would trade what it holds. */
export function describeForeign({ stage, version }: StageRow, shadow: Plugin | undefined): string {
  const named = shadow === undefined ? 'no `shadow`' : `${versionOf(shadow)} as its \`shadow\``;
  return `at the stage ${stage} with ${version}, and the configuration has ${named}`;
}
