import type { z } from 'zod';

const LONGEST = 60;

/** Keys that may contain a secret, and texts that look like one. */
const SECRET_KEY = /secret|password|passphrase|token|private/i;
const SECRET_TEXT = /vs_|:\/\/[^/]*@/;

/** A value for a message: short, on one line, and null if it may be a secret. */
export function showValue(path: readonly PropertyKey[], value: unknown): string | null {
  if (path.some((key) => SECRET_KEY.test(String(key)))) return null;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (value === null) return 'empty';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'number' && !Number.isFinite(value)) return notFinite(value);
  const text = JSON.stringify(value) ?? 'nothing';
  if (SECRET_TEXT.test(text)) return null;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** As in YAML; JSON can't express it. */
function notFinite(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  return value > 0 ? '.inf' : '-.inf';
}

/** What an issue says, and the value at its place: the mistake is then seen without a debugger. */
export function issueText({ path, message }: z.core.$ZodIssue, input: unknown): string {
  const value = path.reduce<unknown>(
    (outer, key) => (outer as Record<PropertyKey, unknown> | null | undefined)?.[key],
    input,
  );
  // A value of a kind of its own is named in the message already.
  if (value == null || (typeof value === 'number' && !Number.isFinite(value))) return message;
  const shown = showValue(path, value);
  return shown === null || shown === 'a map' ? message : `${message} (it is ${shown})`;
}
