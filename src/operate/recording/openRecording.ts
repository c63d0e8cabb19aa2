import type { BotConfig } from '../../config/index.ts';
import { reasonOf, type Env } from '../../env/index.ts';
import type { BotPlan, BotOptions } from '../../runtime/index.ts';
import { explainUnwritable } from '../explainUnwritable.ts';
import { failed, type RunResult } from '../run/RunFailure.ts';
import { RECORDING_FORMAT, RECORDING_VERSION } from './Recording.ts';
import { setRecordingAside } from './setRecordingAside.ts';
import { writeRecording, type RecordingWriter } from './writeRecording.ts';

/**
 * The recording that a configuration requests; null for none.
 *
 * @param env its log receives a line if the recording ends before its bot does
 * @param isOnService a bot in real time: what its run before recorded can't be recorded again and is set aside, and what
 *   this one records is written soon. The recording of a tape is replaced.
 */
export function openRecording(
  config: BotConfig,
  plan: BotPlan,
  { log, timers }: Pick<Env, 'log' | 'timers'>,
  isOnService: boolean,
): RunResult<RecordingWriter | null> {
  const path = config.record;
  if (path === null) return { ok: true, value: null };
  const instances = plan.strategies.map(({ name, params, symbols, wallet, capitalShare }) => ({
    name,
    use: config.strategies.find((one) => one.name === name)!.use,
    params,
    symbols,
    wallet,
    capital_share: capitalShare,
  }));
  const owned = new Set(plan.strategies.flatMap(({ symbols }) => symbols));
  const header = {
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    bot: config.name,
    seed: plan.seed,
    pacemaker_min_seconds: plan.dialect.limits.pacemakerMinSeconds,
    instances,
    instruments: plan.instruments.filter(({ symbol }) => owned.has(symbol)),
  } as const;
  const unwritable = explainUnwritable(path);
  if (unwritable !== null)
    return failed('TRIMTAB_OUTPUT_UNWRITABLE', `record: ${path} can't be written: ${unwritable}`);
  const onFailed = (error: unknown): void =>
    log.error(`The recording ${path} ends here, and the bot continues: ${reasonOf(error)}`);
  try {
    const aside = isOnService ? setRecordingAside(path) : undefined;
    if (aside !== undefined) log.info(`The recording of the run before is ${aside}`);
    const paced = isOnService ? timers : undefined;
    return { ok: true, value: writeRecording(path, header, onFailed, paced) };
  } catch (error) {
    return failed(
      'TRIMTAB_OUTPUT_UNWRITABLE',
      `The recording ${path} can't be written: ${reasonOf(error)}`,
    );
  }
}

/** The bot's option that writes into a recording; empty if there is none. */
export function recordTo(writer: RecordingWriter | null): Pick<BotOptions, 'record'> {
  if (writer === null) return {};
  return { record: (instance, line) => writer.write(instance, line) };
}
