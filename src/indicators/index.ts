/**
 * The fourteen indicators (MKT-4), for plugins and the paper service alike: closed bar → kernel → values.
 *
 * The values are the published ones, from the bar on where the definition has its first: flat and
 * zero-volume windows included, in constant memory, without drift.
 */
export { createIndicator } from './createIndicator.ts';
export { Delay } from './Delay.ts';
export { createEma } from './ExponentialAverage.ts';
export type { Indicator } from './Indicator.ts';
export { RollingMoments } from './RollingMoments.ts';
export { RollingRange } from './RollingRange.ts';
export { RollingSum } from './RollingSum.ts';
