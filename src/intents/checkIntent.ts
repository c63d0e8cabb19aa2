import { z } from 'zod';
import { addFault, checkShape, type ShapeResult } from '../contract/validation.ts';
import type { Intent, IntentKind } from './Intent.ts';
import { INTENT_KINDS, INTENT_RULES, isIntentKind } from './intentRules.ts';

/** `@`, `/` and `#` part the pieces of a decision's identity, so a name has none of them. */
const name = z.string().regex(/^[A-Za-z0-9_\-.:]{1,128}$/, {
  error: ({ input }) =>
    `${JSON.stringify(String(input).slice(0, 140))} is no name: it takes 1 to 128 of A-Z a-z 0-9 _ - . :`,
});

const metaFields = {
  ref: name.optional(),
  decision: name.optional(),
  not_after: z.number().optional(),
  via: z.enum(['rest', 'socket']).optional(),
  note: z.string().max(1_000).optional(),
};

/** Kinds that a command of the stream carries; the others travel by REST only (STR-6). */
const WITH_COMMAND: ReadonlySet<IntentKind> = new Set([
  'launch',
  'place_order',
  'modify_order',
  'cancel_order',
  'bulk_cancel',
  'attach_tpsl',
  'set_leverage',
]);

function schemaOf(kind: IntentKind): z.ZodType<Intent> {
  const { fields } = INTENT_RULES[kind];
  return z
    .strictObject({ kind: z.literal(kind), ...fields, ...metaFields })
    .superRefine((intent, ctx) => {
      if (intent['via'] !== 'socket' || WITH_COMMAND.has(kind)) return;
      addFault(
        ctx,
        ['via'],
        'no_command',
        `The stream has no command for ${kind}; send it by rest.`,
      );
    }) as unknown as z.ZodType<Intent>;
}

const schemas = new Map(INTENT_KINDS.map((kind) => [kind, schemaOf(kind)] as const));

const anyKind = z.looseObject({
  kind: z.enum(INTENT_KINDS, { error: `An intent's kind is one of ${INTENT_KINDS.join(', ')}.` }),
}) as unknown as z.ZodType<Intent>;

/**
 * Checks an intent's shape with the contract's own rules, for plugins in plain JavaScript and for
 * what types can't see (NaN, a grid's bounds). The fault has the code the service would answer with.
 */
export function checkIntent(intent: unknown): ShapeResult<Intent> {
  return checkShape(intentSchemaOf(intent), intent);
}

/** The schema of what says of itself that it is an intent of some kind. */
export function intentSchemaOf(intent: unknown): z.ZodType<Intent> {
  const kind =
    typeof intent === 'object' && intent !== null && 'kind' in intent ? intent.kind : null;
  return (isIntentKind(kind) ? schemas.get(kind) : undefined) ?? anyKind;
}
