/** Rounds of a block, and the words to which it is expanded. */
const ROUNDS = 80;
const BLOCK = 64;
const words = new Int32Array(ROUNDS);
const state = new Int32Array(5);

const START = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);

/**
 * SHA-1 (FIPS 180-4) of a short message, as five words: for names of a hundred bytes the call into the native
 * library costs more than the hash. Not for secrets.
 *
 * @param bytes the message, with room behind it for the padding: {@link paddedLength}
 * @returns the same array each time
 */
export function sha1(bytes: Uint8Array, length: number): Int32Array {
  const end = paddedLength(length);
  bytes[length] = 0x80;
  bytes.fill(0, length + 1, end);
  // A message of less than 2^29 bytes has its length in the last word.
  for (let byte = 1; byte <= 4; byte++) bytes[end - byte] = (length * 8) >>> (8 * byte - 8);
  state.set(START);
  for (let from = 0; from < end; from += BLOCK) addBlock(bytes, from);
  return state;
}

/** Bytes of a message with its padding: whole blocks. */
export function paddedLength(length: number): number {
  return Math.ceil((length + 9) / BLOCK) * BLOCK;
}

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

function addBlock(bytes: Uint8Array, from: number): void {
  for (let at = 0; at < 16; at++) {
    const byte = from + at * 4;
    words[at] =
      (bytes[byte]! << 24) | (bytes[byte + 1]! << 16) | (bytes[byte + 2]! << 8) | bytes[byte + 3]!;
  }
  for (let at = 16; at < ROUNDS; at++) {
    words[at] = rotate(words[at - 3]! ^ words[at - 8]! ^ words[at - 14]! ^ words[at - 16]!, 1);
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  // Each function of a round in a loop of its own: no round asks which one is its.
  for (let at = 0; at < 20; at++) {
    const next = (((a << 5) | (a >>> 27)) + ((b & c) | (~b & d)) + 0x5a827999 + e + words[at]!) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (let at = 20; at < 40; at++) {
    const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + 0x6ed9eba1 + e + words[at]!) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (let at = 40; at < 60; at++) {
    const next =
      (((a << 5) | (a >>> 27)) + ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc + e + words[at]!) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (let at = 60; at < ROUNDS; at++) {
    const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + 0xca62c1d6 + e + words[at]!) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
}
