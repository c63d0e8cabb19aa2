/** Sweeps over workers through pg-boss on PostgreSQL, imported on demand. */
export { openQueue } from './openQueue.ts';
