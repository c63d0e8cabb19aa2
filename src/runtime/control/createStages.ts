import { isAbsolute, relative } from 'node:path';
import type { Clock } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { PlannedShadow, PlannedStrategy } from '../BotPlan.ts';

/** How far a new version of a strategy has come, in order; at `shadow` the former one trades. */
export const STAGES = ['shadow', 'canary', 'live'] as const;
export type Stage = (typeof STAGES)[number];

/** A strategy's stage, as its journal has it. */
export interface StageRow {
  stage: Stage;
  /** The new version that the stage is about, by {@link versionOf}. */
  version: string;
  reason: string;
  /** Wall time of the last step, epoch milliseconds. */
  time: number;
}

/** Which version of each strategy trades, across restarts. */
export interface Stages {
  of(instance: string): Stage;
  /** The version that trades, with its share of the capital. */
  planned(instance: string): PlannedStrategy;
  /**
   * Journals a step, and applies it once it is durable: at once, where the journal writes at once.
   *
   * @throws what keeps it from being durable; then the stage remains as it was
   */
  move(
    instance: string,
    to: Stage,
    step: { reason: string; onMoved(): void },
  ): Promise<void> | void;
}

const latchOf = (instance: string): string => `stage ${instance}`;

/** Names a version by its plugin, relative to the bot's folder: the bot may be moved with it. */
export function versionOf({ use, directory }: Pick<PlannedShadow, 'use' | 'directory'>): string {
  if (!isAbsolute(use)) return use;
  const path = relative(directory, use);
  return path.startsWith('../') ? path : `./${path}`;
}

/**
 * Whether a journal means this plugin by a version. One outside of the bot's folder was named by its absolute path
 * before, which begins otherwise where the bot has been moved.
 */
export function isVersion(
  version: string,
  plugin: Pick<PlannedShadow, 'use' | 'directory'>,
): boolean {
  const own = versionOf(plugin);
  if (version === own) return true;
  return isAbsolute(version) && own.startsWith('.') && version.endsWith(own.replace(UPWARDS, '/'));
}

const UPWARDS = /^(?:\.{1,2}\/)+/;

/** The stage that a journal has of a strategy; undefined if it was never promoted. */
export function readStage(
  store: Pick<JournalStore, 'latch'>,
  instance: string,
): StageRow | undefined {
  const latch = store.latch(latchOf(instance));
  if (latch === undefined) return undefined;
  const at = latch.value.indexOf(' ');
  const [stage, version] = [latch.value.slice(0, at) as Stage, latch.value.slice(at + 1)];
  return { stage, version, reason: latch.reason, time: latch.time };
}

/** Journals a strategy's stage; it holds for this and every later process. */
export function latchStage(
  store: Pick<JournalStore, 'setLatch'>,
  instance: string,
  { stage, version, reason, time }: StageRow,
): void | Promise<void> {
  return store.setLatch(latchOf(instance), { value: `${stage} ${version}`, reason, time });
}

export function createStages(options: {
  strategies: readonly PlannedStrategy[];
  store: JournalStore;
  clock: Clock;
}): Stages {
  const { strategies, store, clock } = options;
  const plannedOf = new Map(strategies.map((one) => [one.name, one]));
  const stages = new Map<string, Stage>();
  /** A version keeps the name that its journal has: its state and its decisions are found by it. */
  const versions = new Map<string, string>();
  for (const { name, shadow } of strategies) {
    if (shadow === undefined) continue;
    versions.set(name, versionOf(shadow));
    const row = readStage(store, name);
    if (row === undefined || !isVersion(row.version, shadow)) continue;
    stages.set(name, row.stage);
    versions.set(name, row.version);
  }
  const of = (instance: string): Stage => stages.get(instance) ?? 'shadow';
  return {
    of,
    planned: (instance) => atStage(plannedOf.get(instance)!, of(instance), versions.get(instance)),
    move(instance, stage, { reason, onMoved }) {
      const row = { stage, version: versions.get(instance)!, reason, time: clock.wallNow() };
      const apply = (): void => {
        stages.set(instance, stage);
        onMoved();
      };
      const written = latchStage(store, instance, row);
      // Within the turn where the journal can, so that a replay repeats it.
      return written instanceof Promise ? written.then(apply) : apply();
    },
  };
}

/** The version of a strategy that trades at a stage. */
function atStage(
  planned: PlannedStrategy,
  stage: Stage,
  version: string | undefined,
): PlannedStrategy {
  const { shadow, isolation, capitalShare } = planned;
  if (shadow === undefined || stage === 'shadow') return planned;
  const { strategy, accepted, use, directory, params, canary } = shadow;
  return {
    ...planned,
    strategy,
    params: accepted,
    capitalShare: stage === 'canary' ? capitalShare * canary : capitalShare,
    isolation: isolation && { ...isolation, use, directory, params },
    version,
    former: planned.version,
  };
}
