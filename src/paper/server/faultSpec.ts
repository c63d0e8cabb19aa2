import { z } from 'zod';
import { LAYERS } from '../../contract/index.ts';

/** Which calls are hit, how often and how long; without a limit a fault lasts until it is deleted. */
const common = {
  /** Share of the matching calls, sockets or frames that are hit; default all. */
  rate: z.number().min(0).max(1).optional(),
  /** Path prefix, optionally after a method: `POST /v1/execute`. */
  match: z
    .string()
    .regex(/^([A-Z]+ )?\/v1/, 'a path from /v1 on, perhaps with a method before it')
    .optional(),
  /** Ends it after that many matching calls; for `ws_*` kinds, sockets or frames that were hit. */
  for_requests: z.int().min(1).optional(),
  /** Ends it after this much wall time. */
  for_seconds: z.number().positive().optional(),
};

const plain = <const K extends string>(kind: K) =>
  z.strictObject({ kind: z.literal(kind), ...common });

const KINDS = [
  z.strictObject({ kind: z.literal('latency'), ms: z.number().min(0).max(600_000), ...common }),
  plain('error_500'),
  plain('error_503'),
  plain('drop_before'),
  plain('drop_after'),
  plain('rate_limited'),
  plain('truncate_body'),
  plain('ws_drop'),
  plain('ws_stall'),
  plain('ws_duplicate'),
  plain('ws_reorder'),
  z.strictObject({ kind: z.literal('clock_skew'), seconds: z.number(), ...common }),
  z.strictObject({
    kind: z.literal('degrade_layer'),
    layer: z.enum(LAYERS),
    /** `down`: its calls are refused with 503 as well. */
    status: z.enum(['degraded', 'down']).optional(),
    ...common,
  }),
] as const;

/** `clock_skew (seconds)`: each kind with what it takes beside the fields of all. */
const kinds = KINDS.map(({ shape }) => {
  const { kind, ...rest } = shape;
  const own = Object.keys(rest).filter((field) => !(field in common));
  return `${kind.value}${own.length === 0 ? '' : ` (${own.join(', ')})`}`;
});

/** The body of `POST /paper/faults` (conventions §7). */
const faultSpec = z.discriminatedUnion('kind', KINDS, {
  error: ({ code }) =>
    code === 'invalid_union'
      ? `It is one of ${kinds.join(', ')}; each may have ${Object.keys(common).join(', ')}.`
      : undefined,
});
export type FaultSpec = z.infer<typeof faultSpec>;

const faultList = z.array(faultSpec).min(1).max(100);

/** The schema of this body, a fault or a list of them; a union would not tell what is wrong in it, and where. */
export const faultsSchemaOf = (body: unknown): z.ZodType<FaultSpec | FaultSpec[]> =>
  Array.isArray(body) ? faultList : faultSpec;
