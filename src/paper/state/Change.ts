import { z } from 'zod';
import { SCOPES, TIERS } from '../../contract/index.ts';

/** A key with its secret: the only place where a secret is persisted. */
export const savedKey = z.strictObject({
  keyId: z.string(),
  label: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  connectionId: z.string(),
  tier: z.enum(TIERS),
  createdTime: z.number(),
  secret: z.string(),
});
export type SavedKey = z.infer<typeof savedKey>;

/** A first response under an idempotency key. */
export const savedAnswer = z.strictObject({
  keyId: z.string(),
  idempotencyKey: z.string(),
  exact: z.string().nullable(),
  meaning: z.array(z.unknown()),
  status: z.int(),
  bodyText: z.string(),
  /** Wall time, epoch milliseconds. */
  storedAt: z.number(),
});
export type SavedAnswer = z.infer<typeof savedAnswer>;

/** A call that changes something, as it was passed to its handler. */
const recordedCall = z.strictObject({
  endpoint: z.string(),
  pathParams: z.record(z.string(), z.string()),
  query: z.record(z.string(), z.unknown()),
  /** Absent: none was sent. */
  body: z.unknown().optional(),
  /** null: an unsigned call; its token names the wallet. */
  wallet: z.string().nullable(),
  keyId: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  exact: z.string().nullable(),
  wallTime: z.number(),
  requestId: z.string(),
});
export type RecordedCall = z.infer<typeof recordedCall>;

const connectionChange = z.strictObject({
  label: z.string(),
  balance: z.number(),
  status: z.string(),
});

/** Funds moved into a wallet, or out of it below 0; USDC. */
const transferChange = z.strictObject({ wallet: z.string(), amount: z.number() });

/**
 * Everything that moves the service from one state to the next. The core is deterministic, so the same
 * changes to the same state give the same state, fills and ids included.
 */
export const change = z.union([
  z.strictObject({ time: z.number() }),
  z.strictObject({ call: recordedCall }),
  z.strictObject({ answer: savedAnswer }),
  z.strictObject({ key: savedKey }),
  z.strictObject({ revoked: z.string() }),
  z.strictObject({ connection: connectionChange }),
  z.strictObject({ transfer: transferChange }),
  z.strictObject({ interrupted: z.literal(true) }),
]);
export type Change = z.infer<typeof change>;

/** Receives a change before it happens. If it throws, the change must not happen. */
export type Recorder = (change: Change) => void;
