import { formatFaults, type LoadedConfig, type StrategyConfig } from '../../config/index.ts';
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
  { config: { use }, known, fresh }: Wanted,
): Promise<PluginResult<Strategy>> {
  const given = known.get(use);
  if (given !== undefined) return checkDefinition({ default: given }, use);
  const loaded = await loadStrategy(use, { baseDir: directory, fresh });
  return loaded.ok ? { ok: true, value: loaded.value.strategy } : loaded;
}

async function loadOne(loaded: LoadedConfig, wanted: Wanted): Promise<RunResult<PlannedStrategy>> {
  const { config, index } = wanted;
  const plugin = await toPlugin(loaded, wanted);
  if (!plugin.ok) return failed(plugin.fault.code, describePluginFault(plugin.fault));
  const strategy = plugin.value;
  const faults = loaded.faultsOf(
    ['strategies', index, 'params'],
    config.params,
    strategy.params.strict(),
  );
  if (faults.length > 0)
    return failed(faults[0]!.code, `The configuration:\n${formatFaults(faults)}`);
  const checked = checkParams(strategy, config.params);
  if (!checked.ok) return failed(checked.fault.code, describePluginFault(checked.fault));
  const { use, name, symbols, wallet, capitalShare, restart } = config;
  const { directory } = loaded.config;
  const isolation = config.isolation && {
    ...config.isolation,
    use,
    directory,
    params: config.params,
  };
  const about = { name, symbols, wallet, capitalShare, restart };
  const checkedParams = { strategy, params: checked.value };
  return { ok: true, value: { ...about, ...checkedParams, isolation: isolation ?? undefined } };
}

/** Its location, the problem and the remedy. */
export function describePluginFault({ file, line, column, reason, remedy }: PluginFault): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return `${place}: ${reason}\n  ${remedy}`;
}
