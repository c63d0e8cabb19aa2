import { SCOPES } from '../contract/index.ts';
import {
  isStrategy,
  STRATEGY_CONTRACT_VERSION,
  type Strategy,
  type StrategyDefinition,
} from './defineStrategy.ts';
import { refusePlugin, type PluginResult } from './PluginFault.ts';
import { isStateDefinition } from './StateDefinition.ts';

/** zod marks its schemas with their definition, whichever copy of zod created them. */
function isZod(value: unknown, type?: string): boolean {
  const zod = (value as { _zod?: { def?: { type?: unknown } } } | null | undefined)?._zod;
  return zod !== undefined && (type === undefined || zod.def?.type === type);
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** What each field of a definition must be; the compiler does not check plugins in plain JavaScript. */
const FIELDS: ReadonlyArray<
  [keyof StrategyDefinition, must: string, fits: (value: unknown) => boolean]
> = [
  ['name', 'a text', isText],
  ['description', 'a text', isText],
  ['params', 'a zod object: z.object({ … })', (value) => isZod(value, 'object')],
  ['scopes', `a list of ${SCOPES.join(', ')}`, isScopes],
  ['state', 'a zod schema, { version, schema, initial?, migrate? }, or left out', isState],
  ['warmup', 'a function of the params, or left out', isFunctionOrAbsent],
  ['setup', 'a function of the context', (value) => typeof value === 'function'],
];

const NAMES: readonly string[] = ['contract', 'version', ...FIELDS.map(([name]) => name)];

function isScopes(value: unknown): boolean {
  const known: readonly unknown[] = SCOPES;
  return Array.isArray(value) && value.every((scope) => known.includes(scope));
}

function isState(value: unknown): boolean {
  if (value === undefined || isZod(value)) return true;
  if (!isStateDefinition(value)) return false;
  const { version, schema, migrate, writesInWarmUp = false } = value;
  if (typeof writesInWarmUp !== 'boolean' || !isFunctionOrAbsent(migrate)) return false;
  return Number.isInteger(version) && version >= 1 && isZod(schema);
}

function isFunctionOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'function';
}

/** Checks the default export of a plugin's module. */
export function checkDefinition(
  module: Readonly<Record<string, unknown>>,
  file: string,
): PluginResult<Strategy> {
  const exported = module['default'];
  if (exported === undefined) {
    const others = Object.keys(module).filter((name) => name !== 'module.exports');
    const has = others.length > 0 ? ` (it exports ${others.join(', ')})` : '';
    const remedy = 'Write `export default defineStrategy({ … })`.';
    return refusePlugin({
      code: 'TRIMTAB_PLUGIN_NO_EXPORT',
      file,
      reason: `It has no default export${has}.`,
      remedy,
    });
  }
  if (!isStrategy(exported)) {
    const reason = 'Its default export was not made by defineStrategy.';
    const remedy = "Wrap it: `export default defineStrategy({ … })`, imported from 'trimtab'.";
    return refusePlugin({ code: 'TRIMTAB_PLUGIN_NO_EXPORT', file, reason, remedy });
  }
  const version: unknown = exported.contract;
  if (version !== STRATEGY_CONTRACT_VERSION) {
    const reason = `It is written for strategy contract ${String(version)}; this is ${STRATEGY_CONTRACT_VERSION}.`;
    const remedy = `Use a version of the plugin, or of trimtab, that agrees; then set \`contract: ${STRATEGY_CONTRACT_VERSION}\`.`;
    return refusePlugin({ code: 'TRIMTAB_PLUGIN_VERSION', file, reason, remedy });
  }
  const unknown = Object.keys(exported).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    const reason = `It has a field \`${unknown}\`, which no strategy has: it would be ignored.`;
    const remedy = `A definition has ${NAMES.join(', ')}.`;
    return refusePlugin({ code: 'TRIMTAB_PLUGIN_DEFINITION', file, reason, remedy });
  }
  const wrong = FIELDS.find(([name, , fits]) => !fits(exported[name]));
  if (wrong === undefined) return { ok: true, value: exported };
  const [name, must] = wrong;
  const remedy = `Correct \`${name}\` in defineStrategy({ … }).`;
  return refusePlugin({
    code: 'TRIMTAB_PLUGIN_DEFINITION',
    file,
    reason: `Its \`${name}\` must be ${must}.`,
    remedy,
  });
}
