import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { LoadedConfig } from '../../config/index.ts';
import { createRandom, silentLog } from '../../env/index.ts';
import {
  checkParams,
  loadStrategy,
  type PluginFault,
  type Strategy,
  type StrategyFault,
} from '../../strategy/index.ts';
import { replayHost, type RecordedEmission } from '../../strategy/recording/index.ts';
import { describePluginFault, loadStrategies } from '../run/loadStrategies.ts';
import { failed, type RunResult } from '../run/RunFailure.ts';
import { describeMissing } from './describeMissing.ts';
import { playRecording } from './playRecording.ts';
import type { RecordedInstance, Recording } from './Recording.ts';
import { findShort, withHistory } from './withHistory.ts';

/** One instance's intents as recorded and as replayed. */
export interface InstanceReplay {
  name: string;
  recorded: readonly RecordedEmission[];
  replayed: readonly RecordedEmission[];
  faults: readonly StrategyFault[];
  /** Data that it requests now and the recording lacks, in words. */
  missing: readonly string[];
}

type Planned = { strategy: Strategy; params: Record<string, unknown> };

/**
 * Runs every instance of a recording again, on exactly its recorded input.
 *
 * @param loaded plugins and parameters instead of those that the recording names
 */
export async function replayRecording(
  recording: Recording,
  from: { path: string; loaded?: LoadedConfig },
): Promise<RunResult<InstanceReplay[]>> {
  const plans = await planAll(recording, from);
  if (!plans.ok) return plans;
  const names = [...plans.value.keys()];
  const replays = playRecording(recording, names, function* (name, take) {
    const { instance, strategy, params } = plans.value.get(name)!;
    const { emissions, histories } = recording.instances.get(name)!;
    const asked = strategy.warmup?.(params) ?? 0;
    const replayed = yield* replayHost(withHistory(take, histories, asked), {
      strategy,
      params,
      instance: name,
      wallet: instance.wallet,
      symbols: instance.symbols,
      capitalShare: instance.capital_share,
      pacemakerMinSeconds: recording.header.pacemaker_min_seconds,
      createRandom: () => createRandom(`${recording.header.seed}/${name}`),
      log: silentLog,
      instrument: (symbol) =>
        recording.header.instruments.find((record) => record.symbol === symbol),
    });
    return {
      name,
      recorded: emissions,
      replayed: replayed.emissions,
      faults: replayed.faults,
      missing: describeMissing(replayed, findShort(histories, asked)),
    };
  });
  return { ok: true, value: names.map((name) => replays.get(name)!) };
}

/** The plugin and parameters with which each instance is run now, by its name. */
async function planAll(
  { header }: Recording,
  { path, loaded }: { path: string; loaded?: LoadedConfig },
): Promise<RunResult<Map<string, Planned & { instance: RecordedInstance }>>> {
  const configured = loaded === undefined ? null : await loadStrategies(loaded);
  if (configured?.ok === false) return configured;
  const plans = new Map<string, Planned & { instance: RecordedInstance }>();
  for (const instance of header.instances) {
    const planned =
      configured === null
        ? await loadRecorded(instance, path)
        : findPlanned(instance, configured.value);
    if (!planned.ok) return planned;
    plans.set(instance.name, { ...planned.value, instance });
  }
  return { ok: true, value: plans };
}

async function loadRecorded(instance: RecordedInstance, path: string): Promise<RunResult<Planned>> {
  const plugin = await loadStrategy(instance.use, { baseDir: dirname(path) });
  const refused = (fault: PluginFault): RunResult<Planned> =>
    failed(
      fault.code,
      `${instance.name}: ${describePluginFault(fault)} Or name a configuration: --config FILE.`,
    );
  if (!plugin.ok) return refused(plugin.fault);
  const { strategy } = plugin.value;
  const checked = checkParams(strategy, instance.params);
  if (!checked.ok) return refused(checked.fault);
  return { ok: true, value: { strategy, params: checked.value } };
}

function findPlanned(
  { name }: RecordedInstance,
  strategies: ReadonlyArray<Planned & { name: string }>,
): RunResult<Planned> {
  const found = strategies.find((one) => one.name === name);
  if (found !== undefined) return { ok: true, value: found };
  const names = strategies.map((one) => one.name).join(', ');
  return failed(
    'TRIMTAB_RECORDING_INCOMPLETE',
    `The recording has a strategy ${name}; the configuration has ${names}.\n` +
      '  Name the configuration that was recorded, or one with strategies of the same names.',
  );
}

/** Equal intents have equal hashes. */
export function hashEmissions(emissions: readonly RecordedEmission[]): string {
  const digest = createHash('sha256');
  for (const emission of emissions) digest.update(`${textOf(emission)}\n`);
  return digest.digest('hex');
}

export const textOf = ({ decisionKey, marketTime, intent }: RecordedEmission): string =>
  JSON.stringify([decisionKey, marketTime, intent]);
