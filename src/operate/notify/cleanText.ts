/** Removed: they break lines, hide text or reverse it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Text of a plugin, a service or an operator as one line of at most this many characters. */
export function cleanText(text: string, most: number): string {
  const line = text.replaceAll(UNSEEN, ' ').replaceAll(/ {2,}/g, ' ').trim().toWellFormed();
  if (line.length <= most) return line;
  return `${line.slice(0, most - 1).toWellFormed()}…`;
}
