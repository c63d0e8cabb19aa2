import { paddedLength, sha1 } from './sha1.ts';

/** Names of decisions are shorter; a longer one gets its own buffer. */
const room = new Uint8Array(512);
const encoder = new TextEncoder();
const NAMESPACE_BYTES = 16;

/**
 * A name-based UUID (RFC 9562 §5.5): the same namespace and name give the same UUID everywhere.
 *
 * @param namespace a UUID
 */
export function uuidv5(namespace: string, name: string): string {
  // A UTF-16 code unit takes at most three bytes.
  const most = paddedLength(NAMESPACE_BYTES + name.length * 3);
  const bytes = most <= room.length ? room : new Uint8Array(most);
  const space = spaceOf(namespace);
  for (let at = 0; at < NAMESPACE_BYTES; at++) bytes[at] = space[at]!;
  const [a = 0, b = 0, c = 0, d = 0] = sha1(bytes, NAMESPACE_BYTES + putText(name, bytes));
  putDigits(a, 0, 4);
  putDigits((b & 0xffff_0fff) | 0x5000, 9, 14);
  putDigits((c & 0x3fff_ffff) | 0x8000_0000, 19, 24);
  putDigits(d, 28, 32);
  return text.toString('latin1');
}

/** Writes a text behind the namespace; nearly all are ASCII, and need no call into the native library. */
function putText(name: string, bytes: Uint8Array): number {
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    if (unit > 0x7f) return encoder.encodeInto(name, bytes.subarray(NAMESPACE_BYTES)).written;
    bytes[NAMESPACE_BYTES + at] = unit;
  }
  return name.length;
}

/** A UUID's characters in one buffer; a concatenated string would be flattened when it is first looked up. */
const text = Buffer.from('00000000-0000-0000-0000-000000000000', 'latin1');
const DIGITS = Buffer.from('0123456789abcdef', 'latin1');

/** A word as eight digits, the upper and the lower half at separate offsets. */
function putDigits(word: number, upper: number, lower: number): void {
  for (let digit = 0; digit < 4; digit++) {
    text[upper + digit] = DIGITS[(word >>> (28 - 4 * digit)) & 15]!;
    text[lower + digit] = DIGITS[(word >>> (12 - 4 * digit)) & 15]!;
  }
}

const spaces = new Map<string, Uint8Array>();

function spaceOf(namespace: string): Uint8Array {
  const known = spaces.get(namespace);
  if (known !== undefined) return known;
  const space = Uint8Array.from(Buffer.from(namespace.replaceAll('-', ''), 'hex'));
  spaces.set(namespace, space);
  return space;
}
