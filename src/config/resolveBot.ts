import { isAbsolute, resolve } from 'node:path';
import type { z } from 'zod';
import type { dialectValues } from '../contract/index.ts';
import type { GuardLimits } from '../guards/index.ts';
import type { PaperSettings } from '../paper/server/PaperSettings.ts';
import type { BotConfig, StrategyConfig } from './BotConfig.ts';
import type { BotSettings } from './botSettings.ts';
import { capitalShares } from './capitalShares.ts';
import { walletOf } from './wallets.ts';

/**
 * Checked settings → configuration: absolute paths, shares computed, values that were read elsewhere
 * unchanged.
 */
export function resolveBot(
  settings: BotSettings,
  at: {
    file: string;
    directory: string;
    written: unknown;
    link: BotConfig['link'];
    journal: BotConfig['journal'];
    journalFlag: string | undefined;
    budget: BotConfig['budget'];
    operate: BotConfig['operate'];
  },
): BotConfig {
  const absolute = (path: string) => resolve(at.directory, path);
  const { dialect } = at.written as { dialect?: z.input<typeof dialectValues> };
  return {
    file: at.file,
    directory: at.directory,
    name: settings.name,
    link: at.link,
    strategies: resolveStrategies(settings, absolute),
    // Unset limits are absent here, not undefined, because zod omits such keys.
    guards: resolveGuards(settings),
    protection: settings.protection,
    budget: at.budget,
    journal: at.journal,
    ...(at.journalFlag === undefined ? {} : { journalFlag: at.journalFlag }),
    stopPolicy: settings.stop_policy,
    stopMs: settings.stop_seconds * 1_000,
    record: settings.record === undefined ? null : absolute(settings.record),
    report: settings.report === undefined ? null : absolute(settings.report),
    dialect: dialect ?? {},
    dialectModule: settings.dialect_module === undefined ? null : absolute(settings.dialect_module),
    watchdog: settings.watchdog ?? null,
    operate: at.operate,
    sweep: settings.sweep ?? null,
    seed: settings.seed,
  };
}

function resolveGuards({ guards }: BotSettings): GuardLimits {
  const { max_uncovered_seconds: uncovered, ...limits } = guards;
  if (uncovered === undefined || uncovered === 'off') return limits as GuardLimits;
  return { ...limits, max_uncovered_seconds: uncovered } as GuardLimits;
}

function resolveStrategies(
  { strategies, isolation }: BotSettings,
  absolute: (path: string) => string,
): StrategyConfig[] {
  const shares = capitalShares(strategies);
  return strategies.map((strategy, index) => ({
    use: isPath(strategy.use) ? absolute(strategy.use) : strategy.use,
    name: strategy.name,
    symbols: strategy.symbols,
    wallet: walletOf(strategy),
    capitalShare: shares[index]!,
    restart: resolveRestart(strategy.restart),
    isolation: resolveIsolation(strategy.isolation === undefined ? isolation : strategy.isolation),
    params: strategy.params,
    shadow: resolveShadow(strategy.shadow, absolute),
  }));
}

function resolveShadow(
  shadow: BotSettings['strategies'][number]['shadow'],
  absolute: (path: string) => string,
): StrategyConfig['shadow'] {
  if (shadow === undefined) return undefined;
  const { use, params, canary, isolation } = shadow;
  return {
    use: isPath(use) ? absolute(use) : use,
    params,
    canary,
    isolation: resolveIsolation(isolation),
  };
}

function resolveIsolation(isolation: BotSettings['isolation']): StrategyConfig['isolation'] {
  if (isolation === null) return null;
  const { turn_deadline_seconds, memory_mb } = isolation;
  return { turnDeadlineMs: turn_deadline_seconds * 1_000, memoryMb: memory_mb };
}

function resolveRestart(
  restart: BotSettings['strategies'][number]['restart'],
): StrategyConfig['restart'] {
  if (restart === undefined) return undefined;
  const { max, backoff_seconds, within_seconds } = restart;
  return { max, backoffMs: backoff_seconds * 1_000, withinMs: within_seconds * 1_000 };
}

/** Package names never start with a dot or a slash. */
export function isPath(use: string): boolean {
  return use.startsWith('.') || isAbsolute(use);
}

const FEED_FILES = ['path', 'trades', 'book', 'snapshot'] as const;

function resolveFeed<T extends { [K in (typeof FEED_FILES)[number]]?: string | undefined }>(
  feed: T,
  directory: string,
): T {
  const files = FEED_FILES.filter((name) => feed[name] !== undefined);
  return {
    ...feed,
    ...Object.fromEntries(files.map((name) => [name, resolve(directory, feed[name]!)])),
  };
}

/** The paper section with absolute feed, funding and state files. */
export function resolvePaper(paper: PaperSettings, directory: string): PaperSettings {
  const feeds = paper.feeds.map((feed) =>
    'generate' in feed ? feed : resolveFeed(feed, directory),
  );
  const funding = Object.entries(paper.funding).map(([symbol, given]) => [
    symbol,
    typeof given === 'string' ? resolve(directory, given) : given,
  ]);
  const { state } = paper;
  return {
    ...paper,
    feeds,
    funding: Object.fromEntries(funding) as PaperSettings['funding'],
    ...(state === undefined ? {} : { state: resolve(directory, state) }),
  };
}
