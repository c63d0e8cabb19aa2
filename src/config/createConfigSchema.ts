import { botSettings } from './botSettings.ts';
import { toInputSchema, type JsonSchema } from './knownKeys.ts';

/** JSON Schema (draft-07) of a bot's YAML: what editors complete, check and explain with. */
export function createConfigSchema(): JsonSchema {
  return toInputSchema(botSettings);
}
