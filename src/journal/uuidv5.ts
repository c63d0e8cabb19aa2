import { paddedLength, sha1 } from './sha1.ts';

/** Names of decisions are shorter; a longer one gets room of its own. */
const room = new Uint8Array(512);
const encoder = new TextEncoder();
const NAMESPACE_BYTES = 16;

/**
 * A name-based UUID (RFC 9562 §5.5): the same namespace and name give the same UUID everywhere.
 *
 * @param namespace a UUID
 */
export function uuidv5(namespace: string, name: string): string {
  // A unit of text takes at most three bytes.
  const most = paddedLength(NAMESPACE_BYTES + name.length * 3);
  const bytes = most <= room.length ? room : new Uint8Array(most);
  bytes.set(spaceOf(namespace));
  const { written } = encoder.encodeInto(name, bytes.subarray(NAMESPACE_BYTES));
  const [a = 0, b = 0, c = 0, d = 0] = sha1(bytes, NAMESPACE_BYTES + written);
  const version = (b & 0xffff_0fff) | 0x5000;
  const variant = (c & 0x3fff_ffff) | 0x8000_0000;
  return (
    `${half(a >>> 16)}${half(a)}-${half(version >>> 16)}-${half(version)}` +
    `-${half(variant >>> 16)}-${half(variant)}${half(d >>> 16)}${half(d)}`
  );
}

const HEX = Array.from({ length: 256 }, (_each, byte) => byte.toString(16).padStart(2, '0'));

/** The lower half of a word, as four digits. */
const half = (word: number): string => `${HEX[(word >>> 8) & 0xff]}${HEX[word & 0xff]}`;

const spaces = new Map<string, Uint8Array>();

function spaceOf(namespace: string): Uint8Array {
  const known = spaces.get(namespace);
  if (known !== undefined) return known;
  const space = Uint8Array.from(Buffer.from(namespace.replaceAll('-', ''), 'hex'));
  spaces.set(namespace, space);
  return space;
}
