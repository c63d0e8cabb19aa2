/** What was frozen here to its depths: a plugin may freeze an object of its own at the surface alone. */
const frozen = new WeakSet<object>();

/**
 * Freezes what JSON can hold, to its depths; what was frozen here before is not walked again. Objects of another kind,
 * as a Date or a Map, stay as they are.
 *
 * @param value that a schema made of another
 * @param given of which it was made: an object that went through the schema as it is belongs to who gave it, so a copy
 *   is frozen instead
 */
export function freezeDeeply<Value>(value: Value, given: unknown): Value {
  if (!isPlain(value) || frozen.has(value)) return value;
  const isGiven = (value as unknown) === given;
  const result: Record<string, unknown> =
    isGiven || Object.isFrozen(value) ? shallowCopyOf(value) : value;
  frozen.add(result);
  for (const key of Object.keys(result)) {
    const part = result[key];
    if (typeof part !== 'object' || part === null) continue;
    const made = freezeDeeply(part, isPlain(given) ? given[key] : undefined);
    if (made !== part) result[key] = made;
  }
  return Object.freeze(result) as Value;
}

/** An object or a list that JSON can hold. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const shallowCopyOf = (value: object): Record<string, unknown> =>
  (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
