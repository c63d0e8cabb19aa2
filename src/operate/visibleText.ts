/** What a terminal obeys instead of showing it: control and formatting characters. Line breaks and tabs are no harm. */
const OBEYED = /(?![\n\t])[\p{Cc}\p{Cf}]/gu;

/** Text of a plugin, a service or an operator for a terminal: what it would obey is shown as its code, `\u{1b}`. */
export function visibleText(text: string): string {
  return text.replaceAll(OBEYED, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
}
