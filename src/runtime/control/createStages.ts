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
  return use.startsWith(`${directory}/`) ? `.${use.slice(directory.length)}` : use;
}

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
  for (const { name, shadow } of strategies) {
    const row = shadow && readStage(store, name);
    if (row !== undefined && row.version === versionOf(shadow!)) stages.set(name, row.stage);
  }
  const of = (instance: string): Stage => stages.get(instance) ?? 'shadow';
  return {
    of,
    planned: (instance) => atStage(plannedOf.get(instance)!, of(instance)),
    move(instance, stage, { reason, onMoved }) {
      const { shadow } = plannedOf.get(instance)!;
      const row = { stage, version: versionOf(shadow!), reason, time: clock.wallNow() };
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
function atStage(planned: PlannedStrategy, stage: Stage): PlannedStrategy {
  const { shadow, isolation, capitalShare } = planned;
  if (shadow === undefined || stage === 'shadow') return planned;
  const { strategy, accepted, use, directory, params, canary } = shadow;
  return {
    ...planned,
    strategy,
    params: accepted,
    capitalShare: stage === 'canary' ? capitalShare * canary : capitalShare,
    isolation: isolation && { ...isolation, use, directory, params },
    version: versionOf(shadow),
    former: planned.version,
  };
}
