/** A source of randomness: `next()` is uniform in [0, 1). */
export interface Random {
  next(): number;
}

/** FNV-1a over UTF-16 code units, with a different start per lane, to spread a text seed over the state. */
function hashLane(text: string, lane: number): number {
  let hash = (0x811c9dc5 ^ Math.imul(lane + 1, 0x9e3779b1)) >>> 0;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}

/**
 * A seeded generator (sfc32, Chris Doty-Humphrey's PractRand): the same seed gives the same numbers
 * on every machine.
 */
export function createRandom(seed: string | number): Random {
  const text = String(seed);
  let a = hashLane(text, 0);
  let b = hashLane(text, 1);
  let c = hashLane(text, 2);
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  // The first outputs still show the seed's structure.
  for (let round = 0; round < 12; round++) next();
  return { next };
}
