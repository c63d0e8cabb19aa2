/** Sweeps over workers through pg-boss on PostgreSQL, imported on demand. */
export { createPostgresEngine } from './createPostgresEngine.ts';
export { workOnSweeps, type WorkOptions } from './workOnSweeps.ts';
