/** Resting orders that follow a stream: what is wanted → place, modify, cancel. */
export { grid, type GridLevel } from './grid.ts';
export { keepOrders } from './keepOrders.ts';
export { quote, type Quote } from './quote.ts';
export type { RestingContext } from './Slot.ts';
export type { RestingOptions, RestingOrder } from './RestingOrder.ts';
