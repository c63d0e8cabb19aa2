/** Statements on the rows that a sweep over PostgreSQL has there. */
export const RESULTS = `SELECT data->'cost'->>'worker' AS worker FROM trimtab_jobs.job WHERE data ? 'result'`;
export const OPEN_BATCHES = `SELECT id FROM trimtab_jobs.job WHERE data ? 'jobs' AND state < 'completed'`;
