import type { KeyPath } from './ConfigFault.ts';

const LONGEST = 60;

/** Keys that may contain a secret, and texts that look like one. */
const SECRET_KEY = /secret|password|passphrase|token|private/i;
const SECRET_TEXT = /vs_|:\/\/[^/]*@/;

/** A value for a message: short, on one line, and null if it may be a secret. */
export function showValue(path: KeyPath, value: unknown): string | null {
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
