import type { FailureCode } from '../contract/index.ts';

/** Why a plugin can't be used: a value with its place, for the author of the plugin. */
export interface PluginFault {
  /** Its row in {@link FAILURES}. */
  code: FailureCode;
  /** The plugin's file, or its name where none was found. */
  file: string;
  line?: number;
  column?: number;
  reason: string;
  remedy: string;
  /** Parameters that don't fit, by dotted path. */
  fields?: readonly { path: string; message: string }[];
}

export type PluginResult<T> = { ok: true; value: T } | { ok: false; fault: PluginFault };

export function refusePlugin<T>(fault: PluginFault): PluginResult<T> {
  return { ok: false, fault };
}
