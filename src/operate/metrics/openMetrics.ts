import type { BotConfig } from '../../config/index.ts';
import { type Env, watchLoopDelay } from '../../env/index.ts';
import type { Bot, BotPlan } from '../../runtime/index.ts';
import { controlFilesOfBot } from '../control/controlFilesOfBot.ts';
import type { BotState } from '../state/index.ts';
import { countEvents } from './countEvents.ts';
import type { PrometheusMetrics } from './createPrometheusMetrics.ts';
import { readDisk, readPulseAge } from './readHost.ts';
import { readSamples } from './readSamples.ts';

/**
 * The metrics of a bot, if its configuration has a server to show them. The library is loaded only then, because
 * its import takes longer than a bot's other parts.
 */
export async function loadMetrics(
  config: Pick<BotConfig, 'name' | 'operate'>,
): Promise<PrometheusMetrics | undefined> {
  if (config.operate === null) return undefined;
  const { createPrometheusMetrics } = await import('./createPrometheusMetrics.ts');
  return createPrometheusMetrics(config.name);
}

/** The same env, whose metrics are counted. */
export const withMetrics = (env: Env, metrics: PrometheusMetrics | undefined): Env =>
  metrics === undefined ? env : { ...env, metrics: metrics.port };

export interface MetricsPageOptions {
  metrics: PrometheusMetrics;
  state: Pick<BotState, 'view' | 'intents'>;
  bot: Bot;
  plan: BotPlan;
  config: BotConfig;
  env: Env;
  /** Market time, epoch milliseconds. */
  now(): number;
  /** Whether the bot writes a pulse. */
  takesCommands: boolean;
  /** The service's clock minus this machine's, milliseconds; absent in one process. */
  clockOffsetMs?: (() => number) | undefined;
}

/** The page of a bot's metrics. */
export interface MetricsPage {
  render(): Promise<{ type: string; text: string }>;
  close(): void;
}

/** Follows a bot that has not started yet; everything else is read with each scrape. */
export function openMetricsPage(options: MetricsPageOptions): MetricsPage {
  const { metrics, bot, plan, config, env, now, clockOffsetMs } = options;
  const loop = watchLoopDelay();
  const counted = countEvents(bot, plan, metrics.port, now);
  const files = options.takesCommands ? controlFilesOfBot(config) : null;
  return {
    async render() {
      const disk = await readDisk(config.journal);
      return metrics.render([
        ...readSamples(options),
        ...disk,
        ...readPulseAge(files, env.clock.wallNow()),
        ...(clockOffsetMs === undefined
          ? []
          : [{ name: 'clock_offset_seconds', value: clockOffsetMs() / 1_000 }]),
        { name: 'event_loop_lag_seconds', value: loop.takeLongest() },
      ]);
    },
    close() {
      counted.unsubscribe();
      loop.close();
    },
  };
}
