/**
 * Whether a value is what JSON and YAML call an object or a map: no list and not null.
 *
 * ```ts
 * isMap({ symbol: 'BTC' }); // => true
 * isMap(['BTC']); // => false
 * ```
 */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
