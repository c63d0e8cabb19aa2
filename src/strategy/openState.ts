import type { z } from 'zod';
import { issueText } from '../contract/index.ts';
import { reasonOf } from '../env/index.ts';
import { explainLoss, LOSS_REMEDY } from './explainLoss.ts';
import { toStateDefinition, type StateDefinition } from './StateDefinition.ts';

/** A persisted state, with the version of the shape in which it was written. */
export interface PersistedState {
  version: number;
  state: unknown;
}

export type OpenedState =
  | { ok: true; definition: StateDefinition; value: unknown }
  /** Nothing was changed: the persisted state is as it was. */
  | { ok: false; reason: string; remedy: string };

const NOTHING_LOST = 'Nothing was changed; the persisted state is still in the journal.';

/**
 * The state that an instance starts with: the persisted one, migrated if the plugin is newer, or the first one.
 * A state of a newer plugin is refused, since parts of it would be lost.
 */
export function openState(
  state: z.ZodType | StateDefinition,
  persisted: PersistedState | undefined,
): OpenedState {
  const definition = toStateDefinition(state);
  const { version, initial = {}, migrate } = definition;
  if (persisted === undefined) {
    const remedy = 'Give its fields defaults, or set `initial`.';
    return fit(definition, initial, { whose: 'The first state', remedy });
  }
  if (persisted.version === version) {
    const remedy = `Raise \`state.version\` and add \`state.migrate\`. ${NOTHING_LOST}`;
    const whose = `The persisted state (version ${version})`;
    // One that fits is taken, with its positions open, though the schema may make another of it when it is set.
    return parse(definition, persisted.state, { whose, remedy });
  }
  const versions = `The persisted state is of version ${persisted.version}, and the plugin's is ${version}`;
  if (persisted.version > version) {
    const remedy = `Run the newer plugin again, or a version of it that knows ${persisted.version}. ${NOTHING_LOST}`;
    return { ok: false, reason: `${versions}.`, remedy };
  }
  const remedy = `Correct \`state.migrate\`, or run the plugin that wrote it. ${NOTHING_LOST}`;
  if (migrate === undefined) {
    return { ok: false, reason: `${versions}, which has no \`migrate\`.`, remedy };
  }
  try {
    const whose = `What \`migrate\` made of version ${persisted.version}, for version ${version},`;
    return fit(definition, migrate(persisted.state, persisted.version), { whose, remedy });
  } catch (error) {
    return {
      ok: false,
      reason: `${versions}; its \`migrate\` threw: ${reasonOf(error)}.`,
      remedy,
    };
  }
}

function fit(
  definition: StateDefinition,
  value: unknown,
  words: { whose: string; remedy: string },
): OpenedState {
  const parsed = parse(definition, value, words);
  const loss = parsed.ok ? explainLoss(definition.schema, parsed.value, value) : undefined;
  if (loss === undefined) return parsed;
  return { ok: false, reason: `${words.whose} ${loss}.`, remedy: LOSS_REMEDY };
}

function parse(
  definition: StateDefinition,
  value: unknown,
  words: { whose: string; remedy: string },
): OpenedState {
  const parsed = definition.schema.safeParse(value);
  if (parsed.success) return { ok: true, definition, value: parsed.data };
  const reason = `${words.whose} does not fit its schema: ${firstIssue(parsed.error, value)}.`;
  return { ok: false, reason, remedy: words.remedy };
}

/** Path and reason of the first mismatch. */
export function firstIssue({ issues }: z.ZodError, value: unknown): string {
  const [issue] = issues;
  const path = issue?.path.map(String).join('.') ?? '';
  return `${path}${path && ': '}${issue && issueText(issue, value)}`;
}
