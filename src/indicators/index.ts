/**
 * The fourteen indicators (MKT-4), for plugins and the paper service alike: closed bar → kernel → values.
 *
 * The values are the published ones, from the bar on where the definition has its first: flat and
 * zero-volume windows included, in constant memory, without drift.
 */
export { createIndicator } from './createIndicator.ts';
export type { Indicator } from './Indicator.ts';
export { RollingRange } from './RollingRange.ts';
