import { z } from 'zod';

/**
 * `client_order_id` (ORD-3: the order's identity, whatever moves) and `client_execution_id`
 * (conventions §1): unique per wallet, permanently.
 */
export const clientId = z
  .string()
  .regex(/^[A-Za-z0-9_\-.:]{1,64}$/, '1 to 64 of A-Z a-z 0-9 _ - . :');

/** Longest `Idempotency-Key`, by REST and by socket. */
export const MOST_KEY_CHARACTERS = 255;

export const symbolName = z.string().min(1).max(64);

/** A size or price as a user sends it: positive and finite; the grid is checked against the instrument. */
export const positive = z.number().positive();
