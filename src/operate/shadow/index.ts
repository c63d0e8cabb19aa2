/** A version of a strategy that gets the same market data on a virtual account, and how the two compare. */
export type { ComparedIntent } from './ComparedIntent.ts';
export { compareVersions, firstParting, type Comparison } from './compareVersions.ts';
export { describeIntent, formatComparison } from './formatComparison.ts';
export { openShadows, type Shadows } from './openShadows.ts';
export { timeOf, type IntentPair } from './pairIntents.ts';
export { readCourse } from './readCourse.ts';
export { shadowFilesOf } from './shadowFiles.ts';
export type { CurvePoint, ShadowCourse, ShadowView } from './ShadowView.ts';
