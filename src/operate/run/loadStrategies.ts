import {
  formatFaults,
  isOfFlags,
  type LoadedConfig,
  type StrategyConfig,
} from '../../config/index.ts';
import type { PlannedStrategy } from '../../runtime/index.ts';
import { checkParams } from '../../strategy/checkParams.ts';
import { loadStrategy } from '../../strategy/loadStrategy.ts';
import { checkDefinition } from '../../strategy/checkDefinition.ts';
import type { Strategy } from '../../strategy/defineStrategy.ts';
import type { FreshImport } from '../../strategy/FreshImport.ts';
import type { PluginFault, PluginResult } from '../../strategy/PluginFault.ts';
import { failed, type RunResult } from './RunFailure.ts';

/**
 * Loads every plugin of a configuration and validates its parameters.
 *
 * @param known plugins that a program has already, by `use`
 * @param fresh takes the files of the others as they are now
 */
export async function loadStrategies(
  loaded: LoadedConfig,
  known: ReadonlyMap<string, Strategy> = new Map(),
  fresh?: FreshImport,
): Promise<RunResult<PlannedStrategy[]>> {
  const planned: PlannedStrategy[] = [];
  for (const [index, config] of loaded.config.strategies.entries()) {
    const one = await loadOne(loaded, { config, index, known, fresh });
    if (!one.ok) return one;
    planned.push(one.value);
  }
  return { ok: true, value: planned };
}

interface Wanted {
  config: StrategyConfig;
  index: number;
  known: ReadonlyMap<string, Strategy>;
  fresh: FreshImport | undefined;
}

async function toPlugin(
  { config: { directory } }: LoadedConfig,
  { known, fresh }: Pick<Wanted, 'known' | 'fresh'>,
  use: string,
): Promise<PluginResult<Strategy>> {
  const given = known.get(use);
  if (given !== undefined) return checkDefinition({ default: given }, use);
  const loaded = await loadStrategy(use, { baseDir: directory, fresh });
  return loaded.ok ? { ok: true, value: loaded.value.strategy } : loaded;
}

/** A plugin and the parameters that it has accepted, with defaults filled in. */
type Accepted = Pick<PlannedStrategy, 'strategy' | 'params'>;

async function accept(
  loaded: LoadedConfig,
  wanted: Wanted,
  given: { use: string; params: Readonly<Record<string, unknown>>; path: string[] },
): Promise<RunResult<Accepted>> {
  const plugin = await toPlugin(loaded, wanted, given.use);
  if (!plugin.ok) return failed(plugin.fault.code, describePluginFault(plugin.fault));
  const strategy = plugin.value;
  const faults = loaded.faultsOf(
    ['strategies', wanted.index, ...given.path],
    given.params,
    strategy.params.strict(),
  );
  if (faults.length > 0) {
    const message = `The configuration:\n${formatFaults(faults)}`;
    const failure = { code: faults[0]!.code, message, isOfFlags: isOfFlags(faults) };
    return { ok: false, failure };
  }
  const checked = checkParams(strategy, given.params);
  if (!checked.ok) return failed(checked.fault.code, describePluginFault(checked.fault));
  return { ok: true, value: { strategy, params: checked.value } };
}

async function loadShadow(
  loaded: LoadedConfig,
  wanted: Wanted,
): Promise<RunResult<PlannedStrategy['shadow']>> {
  const { shadow } = wanted.config;
  if (shadow === undefined) return { ok: true, value: undefined };
  const accepted = await accept(loaded, wanted, { ...shadow, path: ['shadow', 'params'] });
  if (!accepted.ok) return accepted;
  const { directory } = loaded.config;
  const { strategy, params: checked } = accepted.value;
  const isolation = isolationOf(shadow, directory);
  return { ok: true, value: { strategy, ...shadow, directory, accepted: checked, isolation } };
}

function isolationOf(
  { use, params, isolation }: Pick<StrategyConfig, 'use' | 'params' | 'isolation'>,
  directory: string,
): PlannedStrategy['isolation'] {
  return isolation === null ? undefined : { ...isolation, use, directory, params };
}

async function loadOne(loaded: LoadedConfig, wanted: Wanted): Promise<RunResult<PlannedStrategy>> {
  const { config } = wanted;
  const accepted = await accept(loaded, wanted, { ...config, path: ['params'] });
  if (!accepted.ok) return accepted;
  const shadow = await loadShadow(loaded, wanted);
  if (!shadow.ok) return shadow;
  const { name, symbols, wallet, capitalShare, restart } = config;
  const about = { name, symbols, wallet, capitalShare, restart };
  const value = {
    ...about,
    ...accepted.value,
    isolation: isolationOf(config, loaded.config.directory),
    shadow: shadow.value,
  };
  return { ok: true, value };
}

/** Its location, the problem and the remedy. */
export function describePluginFault({ file, line, column, reason, remedy }: PluginFault): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return `${place}: ${reason}\n  ${remedy}`;
}
