import { uuidv5 } from './uuidv5.ts';

/** Namespace of Trimtab's keys, a random UUID that never changes. */
const NAMESPACE = '6f0d3a52-7a0e-4a55-9c0e-8f5a1f6f3c41';

/**
 * The key under which a decision is sent (AUTH-6). The same decision has the same key in every process and
 * after every restart; the generation grows only after the absence of the previous one is proven, so that two
 * instances started by accident converge on one key.
 */
export function idempotencyKeyOf(decisionKey: string, generation: number): string {
  return uuidv5(NAMESPACE, `${decisionKey}/${generation}`);
}

/** The key of what is left of a request that may have been sent under the given key: a key names one body (AUTH-6). */
export function keyOfRemainder(key: string, body: string): string {
  return uuidv5(NAMESPACE, `${key}/${body}`);
}
