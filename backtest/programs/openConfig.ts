import { resolve } from 'node:path';
import {
  checkConfig,
  loadConfig,
  formatFaults,
  isPath,
  type ConfigFault,
} from '../../src/config/index.ts';
import type { BotInput, ConfigOverrides, LoadedConfig } from '../../src/config/index.ts';
import { withCode } from '../../src/contract/index.ts';
import type { TapeInputs } from '../../src/operate/run/index.ts';
import type { Strategy } from '../../src/strategy/index.ts';
import type { BacktestOptions, ConfigBacktest, StrategyBacktest } from './BacktestOptions.ts';
import { readFeeds, type ReadFeeds } from './readFeeds.ts';
import { toRefusal } from './toRefusal.ts';

/** A checked configuration, and what of it is in memory. */
export interface OpenedConfig {
  loaded: LoadedConfig;
  known: TapeInputs;
}

/** Name of the only strategy of {@link StrategyBacktest} without a usable one of its own. */
const INSTANCE = 'strategy';

/**
 * The configuration of a backtest: that of the file or the value, with the options in the place of flags.
 *
 * @param caller the function that a program has called, for messages
 * @throws Error with the faults, each with its place, value and remedy
 */
export async function openConfig(options: BacktestOptions, caller: string): Promise<OpenedConfig> {
  const given = readFeeds(options.feeds ?? []);
  if (options.config !== undefined) return openBot(options, given);
  return openStrategy(options, given, caller);
}

async function openStrategy(
  options: StrategyBacktest,
  given: ReadFeeds,
  caller: string,
): Promise<OpenedConfig> {
  const { strategy, balance, warmup = 0 } = options;
  const isPlugin = typeof strategy !== 'string';
  const name = nameOf(strategy);
  const use = isPlugin ? name : strategy;
  const fed = given.settings.map(({ symbol }) => symbol);
  const bot: BotInput = {
    name,
    link: { kind: 'paper' },
    paper: { feeds: given.settings, warmup, ...(balance === undefined ? {} : { balance }) },
    strategies: [{ use, name, symbols: [...(options.symbols ?? fed)], params: {} }],
  };
  const plugins = new Map(isPlugin ? [[use, strategy]] : []);
  const loaded = await checkConfig(bot, { file: caller, directory: '.' }, toLoad(options));
  return { loaded: accepted(loaded), known: { feeds: given.known, plugins } };
}

async function openBot(options: ConfigBacktest, given: ReadFeeds): Promise<OpenedConfig> {
  const { config, directory = '.' } = options;
  const load = toLoad(options, given);
  const loaded =
    typeof config === 'string'
      ? await loadConfig(config, load)
      : await checkConfig(plainData(config), { file: 'config', directory }, load);
  const opened = accepted(loaded);
  return { loaded: opened, known: { feeds: given.known, plugins: pluginsFor(opened, options) } };
}

/** By the `use` of the loaded configuration, in which paths are absolute; they may be given as they are written. */
function pluginsFor(
  { config: { directory, strategies } }: LoadedConfig,
  { plugins = {} }: ConfigBacktest,
): Map<string, Strategy> {
  const found = new Map<string, Strategy>();
  const uses = strategies.flatMap(({ use, shadow }) => (shadow ? [use, shadow.use] : [use]));
  for (const [name, plugin] of Object.entries(plugins)) {
    const use = isPath(name) ? resolve(directory, name) : name;
    if (!uses.includes(use)) {
      const what = `plugins: no strategy has use: ${name}; there are ${uses.join(', ')}.`;
      throw withCode('TRIMTAB_USAGE', new Error(what));
    }
    found.set(use, plugin);
  }
  return found;
}

/** The plugin's name as far as it can be an instance's. */
function nameOf(strategy: Strategy | string): string {
  if (typeof strategy === 'string') return INSTANCE;
  const name = strategy.name.replaceAll(/[^\w.-]/g, '-').slice(0, 64);
  return /^[A-Za-z0-9]/.test(name) ? name : INSTANCE;
}

function toLoad(options: BacktestOptions, given?: ReadFeeds): { overrides: ConfigOverrides } {
  const { seed, latency, fees, params = {} } = options;
  const edits = Object.entries({ seed, 'paper.latency': latency, 'paper.fees': fees })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ path: key.split('.'), flag: key.replace('paper.', ''), value }));
  const texts = Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const feeds = given === undefined ? {} : { feeds: given.settings };
  return { overrides: { onPaper: true, journal: 'memory', edits, params: texts, ...feeds } };
}

function accepted(
  loaded: ({ ok: true } & LoadedConfig) | { ok: false; faults: ConfigFault[] },
): LoadedConfig {
  if (loaded.ok) return loaded;
  const code = loaded.faults[0]?.code ?? 'TRIMTAB_CONFIG_UNREADABLE';
  throw toRefusal({ code, message: formatFaults(loaded.faults) });
}

/** A class, a function or a plugin in its place is no configuration. */
function plainData(config: BotInput): unknown {
  try {
    return structuredClone(config);
  } catch {
    const remedy = 'give a path, or the content of such a file; a plugin belongs into `strategy`';
    throw withCode('TRIMTAB_USAGE', new Error(`config: not plain data: ${remedy}.`));
  }
}
