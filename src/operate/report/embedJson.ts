import { shorten } from './packNumbers.ts';

/**
 * JSON that is safe between script tags: no `<` that could end the tag or open a comment, and none of the
 * two line separators that old parsers take for a line end. Floats lose insignificant digits.
 */
export function embedJson(value: unknown): string {
  const text = JSON.stringify(value, (_, held: unknown) =>
    typeof held === 'number' ? shorten(held) : held,
  );
  return text
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
