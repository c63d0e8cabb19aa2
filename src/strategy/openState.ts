import type { z } from 'zod';
import { messageOf } from './StrategyFault.ts';
import { toStateDefinition, type StateDefinition } from './StateDefinition.ts';

/** A state as it is kept: with the version of the shape that it was written in. */
export interface PersistedState {
  version: number;
  state: unknown;
}

export type OpenedState =
  | { ok: true; definition: StateDefinition; value: unknown }
  /** Nothing was changed: what is kept stands as it was. */
  | { ok: false; reason: string; remedy: string };

const NOTHING_LOST = 'Nothing was changed; the kept state stands in the journal.';

/**
 * The state that an instance starts with: what was kept, migrated where the plugin is newer, or its
 * first one. A state of a plugin newer than this one is refused, since it would be lost in parts.
 */
export function openState(
  state: z.ZodType | StateDefinition,
  kept: PersistedState | undefined,
): OpenedState {
  const definition = toStateDefinition(state);
  const { version, initial = {}, migrate } = definition;
  if (kept === undefined) {
    const remedy = 'Give its fields defaults, or set `initial`.';
    return fit(definition, initial, { whose: 'The first state', remedy });
  }
  if (kept.version === version) {
    const remedy = `Raise \`state.version\` and add \`state.migrate\`. ${NOTHING_LOST}`;
    return fit(definition, kept.state, { whose: `The kept state (version ${version})`, remedy });
  }
  const versions = `The kept state is of version ${kept.version}, and the plugin's is ${version}`;
  if (kept.version > version) {
    const remedy = `Run the newer plugin again, or a version of it that knows ${kept.version}. ${NOTHING_LOST}`;
    return { ok: false, reason: `${versions}.`, remedy };
  }
  const remedy = `Correct \`state.migrate\`, or run the plugin that wrote it. ${NOTHING_LOST}`;
  if (migrate === undefined) {
    return { ok: false, reason: `${versions}, which has no \`migrate\`.`, remedy };
  }
  try {
    const whose = `What \`migrate\` made of version ${kept.version}, for version ${version},`;
    return fit(definition, migrate(kept.state, kept.version), { whose, remedy });
  } catch (error) {
    return {
      ok: false,
      reason: `${versions}; its \`migrate\` threw: ${messageOf(error)}.`,
      remedy,
    };
  }
}

function fit(
  definition: StateDefinition,
  value: unknown,
  words: { whose: string; remedy: string },
): OpenedState {
  const parsed = definition.schema.safeParse(value);
  if (parsed.success) return { ok: true, definition, value: parsed.data };
  const reason = `${words.whose} does not fit its schema: ${firstIssue(parsed.error)}.`;
  return { ok: false, reason, remedy: words.remedy };
}

/** Where a value does not fit, and why. */
export function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  const path = issue?.path.map(String).join('.') ?? '';
  return `${path}${path && ': '}${issue?.message}`;
}
