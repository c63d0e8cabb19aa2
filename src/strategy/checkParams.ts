import { issueText } from '../contract/index.ts';
import type { Strategy } from './defineStrategy.ts';
import { refusePlugin, type PluginResult } from './PluginFault.ts';

/** A plugin's parameters with its defaults filled in, or every field that doesn't fit. */
export function checkParams(
  strategy: Strategy,
  params: unknown,
): PluginResult<Record<string, unknown>> {
  // Strict, so that a misspelt parameter is a fault and not silently a default.
  const parsed = strategy.params.strict().safeParse(params ?? {});
  if (parsed.success) return { ok: true, value: parsed.data };
  const fields = parsed.error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code !== 'unrecognized_keys') {
      return [{ path: path.join('.'), message: issueText(issue, params) }];
    }
    return issue.keys.map((key) => ({
      path: [...path, key].join('.'),
      message: 'There is no such parameter.',
    }));
  });
  const named = fields.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return refusePlugin({
    code: 'TRIMTAB_PLUGIN_PARAMS',
    file: strategy.name,
    reason: `The parameters of ${strategy.name} don't fit. ${named}`,
    remedy: `It takes ${Object.keys(strategy.params.shape).join(', ') || 'no parameters'}.`,
    fields,
  });
}
