/** A version of a strategy that gets the same market data on a virtual account, and how the two compare. */
export { compareVersions, firstParting, type Comparison } from './compareVersions.ts';
export { describeIntent, formatComparison } from './formatComparison.ts';
export { openShadows, type Shadows } from './openShadows.ts';
export { timeOf } from './pairIntents.ts';
export { readCourse } from './readCourse.ts';
export { shadowFilesOf } from './shadowFiles.ts';
export type { ShadowCourse } from './ShadowView.ts';
