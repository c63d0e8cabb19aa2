import { shellWord } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import {
  isVersion,
  latchStage,
  type PlannedShadow,
  readStage,
  type StageRow,
  versionOf,
} from '../../runtime/index.ts';
import { commandOf, type CommandTarget } from '../journal/index.ts';

type Plugin = Pick<PlannedShadow, 'use' | 'directory'>;

/** A strategy as the configuration has it: its own version, and the new one. */
export interface PresentVersions {
  own: Plugin;
  shadow: Plugin | undefined;
}

/** The journal's row of a strategy, if it has one, and what its version is in the configuration, if that one trades. */
export type OpenStage =
  | { row: StageRow; version: 'own' | 'shadow' | 'foreign' }
  | { row: StageRow | undefined; version: 'former' };

/**
 * Which version of a strategy trades: `former`, or a promoted one, of which the configuration may have made the strategy's
 * `own`; `foreign`: it has neither of its versions. A `shadow` of the same plugin, with other parameters, is asked first:
 * the strategy's own have not become those that were promoted.
 */
export function readOpenStage(
  store: Pick<JournalStore, 'latch'>,
  instance: string,
  { own, shadow }: PresentVersions,
): OpenStage {
  const row = readStage(store, instance);
  if (row === undefined || row.stage === 'shadow') return { row, version: 'former' };
  if (shadow !== undefined && isVersion(row.version, shadow)) return { row, version: 'shadow' };
  return { row, version: isVersion(row.version, own) ? 'own' : 'foreign' };
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

/** Takes back the stage of a bot that does not run, where what is open can't be seen: all symbols are handed over by name. */
export function describeTakingBack(
  config: CommandTarget,
  { name, symbols }: { name: string; symbols: readonly string[] },
  { stage }: StageRow,
): string {
  const flags = ['--back', `--hand-over ${symbols.map(shellWord).join(',')}`, '--reason TEXT'];
  const command = commandOf(config, 'promote', shellWord(name), ...flags);
  return `take the stage back${stage === 'live' ? ', twice' : ''}: ${command}`;
}

/** Of a foreign version: another one would trade what it holds. */
export function describeForeign({ stage, version }: StageRow, shadow: Plugin | undefined): string {
  const named = shadow === undefined ? 'no `shadow`' : `${versionOf(shadow)} as its \`shadow\``;
  return `at the stage ${stage} with ${version}, and the configuration has ${named}`;
}
