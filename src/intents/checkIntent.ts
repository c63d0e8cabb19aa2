import { z } from 'zod';
import { withPacemakerMinimum } from '../contract/checkRequest.ts';
import { defaultDialect } from '../contract/dialect.ts';
import type { EndpointId } from '../contract/endpoints.ts';
import { addFault, checkShape, faultOfFields, type ShapeResult } from '../contract/validation.ts';
import type { Intent, IntentKind } from './Intent.ts';
import { INTENT_KINDS, INTENT_RULES, isIntentKind } from './intentRules.ts';
import { strayValue } from './strayValue.ts';

/** `@`, `/` and `#` separate the parts of a decision's identity, so a name contains none of them. */
const name = z.string().regex(/^[A-Za-z0-9_\-.:]{1,128}$/, {
  error: ({ input }) =>
    `${JSON.stringify(String(input).slice(0, 140))} is not a valid name: it takes 1 to 128 of A-Z a-z 0-9 _ - . :`,
});

const metaFields = {
  ref: name.optional(),
  decision: name.optional(),
  not_after: z.number().optional(),
  via: z.enum(['rest', 'socket']).optional(),
  tag: name.optional(),
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
  const { fields, neverUndefined = [] } = INTENT_RULES[kind];
  return z
    .strictObject({ kind: z.literal(kind), ...fields, ...metaFields })
    .superRefine((intent, ctx) => {
      for (const field of neverUndefined) {
        const value = (intent as Readonly<Record<string, unknown>>)[field];
        if (!(field in intent) || value !== undefined) continue;
        addFault(
          ctx,
          [field],
          'undefined',
          `${field} is undefined; leave it out to mean all of them.`,
        );
      }
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

/** Kinds that may contain a Pacemaker: their endpoint, and the field that is the body. */
const HELD: Partial<Record<IntentKind, { endpoint: EndpointId; field: string }>> = {
  launch: { endpoint: 'executions.launch', field: 'request' },
  launch_basket: { endpoint: 'baskets.launch', field: 'request' },
  create_monitor: { endpoint: 'monitors.create', field: 'request' },
  close_position: { endpoint: 'positions.close', field: 'request' },
  attach_tpsl: { endpoint: 'positions.attachLegs', field: 'legs' },
};

/**
 * Checks an intent's shape with the contract's rules, for plugins in plain JavaScript and for what types can't
 * express (NaN, a grid's bounds). The fault has the code the service would answer with.
 *
 * @param pacemakerMinSeconds the service's minimum, `limits.pacemakerMinSeconds` of the dialect; default 60
 */
export function checkIntent(
  intent: unknown,
  pacemakerMinSeconds: number = defaultDialect.limits.pacemakerMinSeconds,
): ShapeResult<Intent> {
  const kind = kindOf(intent);
  const stray = isIntentKind(kind) ? undefined : strayValue(intent);
  if (stray !== undefined) {
    return { ok: false, fault: faultOfFields([{ path: '', code: 'stray_value', message: stray }]) };
  }
  const result = checkShape(intentSchemaOf(intent), intent);
  const held = isIntentKind(kind) ? HELD[kind] : undefined;
  if (held === undefined) {
    if (result.ok) lastChecked = result.value;
    return result;
  }
  const body = (intent as Readonly<Record<string, unknown>>)[held.field];
  return withPacemakerMinimum(result, { ...held, body }, pacemakerMinSeconds);
}

/** The value that was checked last: by identity, so that no other one can pass for it. */
let lastChecked: Intent | undefined;

/** Whether this value, and no change of it, passed {@link checkIntent} just now. */
export function isJustChecked(intent: Intent): boolean {
  return intent === lastChecked;
}

/** The schema for the value's `kind`. */
export function intentSchemaOf(intent: unknown): z.ZodType<Intent> {
  const kind = kindOf(intent);
  return (isIntentKind(kind) ? schemas.get(kind) : undefined) ?? anyKind;
}

const kindOf = (intent: unknown): unknown =>
  typeof intent === 'object' && intent !== null && 'kind' in intent ? intent.kind : null;
