/** Two legs whose sizes follow a ratio: targets → orders that keep them in balance. */
export { keepPair } from './keepPair.ts';
export type { PairContext } from './createPairLeg.ts';
export type { PairLegs, PairOptions, PairTarget } from './Pair.ts';
