import type { z } from 'zod';
import type { dialectValues } from '../contract/index.ts';
import type { GuardLimits } from '../guards/index.ts';
import type { PaperSettings } from '../paper/server/PaperSettings.ts';
import type { RestartPolicy } from '../runtime/index.ts';
import type { Isolation } from '../strategy/index.ts';
import type { StopPolicy } from './botSettings.ts';
import type { BudgetSettings } from './budgetSettings.ts';
import type { JournalSettings } from './journalSettings.ts';
import type { NamedKey, WatchdogSettings } from './linkSettings.ts';
import type { OperateConfig } from './resolveOperate.ts';
import type { Secret } from './Secret.ts';
import type { SweepSettings } from './sweepSettings.ts';

/** The link to a separate service; the secret is wrapped so that nothing can print it. */
export interface ServiceLinkConfig {
  /** `live`: real money, wall time. `paper_service`: a replay, whose frames drive market time. */
  kind: 'live' | 'paper_service';
  baseUrl: string;
  wsUrl: string;
  keyId: string;
  secret: Secret;
  /** Where they were read, to be read again by a running bot. */
  named: NamedKey;
  budgetClock: 'wall' | 'replay';
  startRetrySeconds: number;
  authRetrySeconds: number;
}

/** The embedded paper service, its feeds with absolute paths. */
export interface PaperLinkConfig {
  kind: 'paper';
  paper: PaperSettings;
}

export interface StrategyConfig {
  /** An absolute path, or a package name to resolve from {@link BotConfig.directory}. */
  use: string;
  name: string;
  symbols: readonly string[];
  wallet: string;
  /** Share of the wallet's equity, (0, 1]; the shares of one wallet never pass 1. */
  capitalShare: number;
  /** Restarts after a fault of its own; undefined for none. */
  restart: RestartPolicy | undefined;
  /** Limits of its worker; null if it runs in the bot's thread. */
  isolation: Pick<Isolation, 'turnDeadlineMs' | 'memoryMb'> | null;
  /** Not validated here: the plugin has the schema. */
  params: Readonly<Record<string, unknown>>;
  /** A version that runs beside it and sends nothing; undefined for none. */
  shadow: ShadowConfig | undefined;
}

export interface ShadowConfig {
  /** As {@link StrategyConfig.use}. */
  use: string;
  /** Not validated here: the plugin has the schema. */
  params: Readonly<Record<string, unknown>>;
  /** Part of {@link StrategyConfig.capitalShare} at the stage canary, (0, 1]. */
  canary: number;
  /** Limits of its worker; null if it runs in the bot's thread. */
  isolation: StrategyConfig['isolation'];
}

/** A checked configuration: defaults filled in, paths absolute, secrets read. */
export interface BotConfig {
  /** As the user named it. */
  file: string;
  /** Absolute; the base of relative paths in the file. */
  directory: string;
  name: string;
  link: PaperLinkConfig | ServiceLinkConfig;
  strategies: readonly StrategyConfig[];
  guards: GuardLimits;
  /** What to do with a stop that the service retired while its position is open. */
  protection: 'reattach' | 'off';
  budget: BudgetSettings;
  journal: JournalSettings;
  /** The journal of `--journal`, a path absolute; absent where the file's own is used. */
  journalFlag?: string;
  stopPolicy: StopPolicy;
  /** Milliseconds for the whole of a stop. */
  stopMs: number;
  /** Absolute, or null for none. */
  report: string | null;
  /** Absolute, or null for none. */
  record: string | null;
  /** Only the values in the file, so that a module's values apply to the others. */
  dialect: z.input<typeof dialectValues>;
  /** Absolute, or null for none. */
  dialectModule: string | null;
  /** Its secret is read by {@link resolveKey} only when a watchdog starts. */
  watchdog: WatchdogSettings | null;
  /** The operator's server; null for none. */
  operate: OperateConfig | null;
  sweep: SweepSettings | null;
  seed: number;
}
