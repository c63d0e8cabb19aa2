/** Sweeps over workers through PostgreSQL, imported on demand. */
export { createPostgresEngine } from './createPostgresEngine.ts';
export { workOnSweeps, type WorkOptions } from './workOnSweeps.ts';
