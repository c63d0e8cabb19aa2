/** The journal in PostgreSQL, imported on demand, so that no other run loads it. */
export { connectPg, unreachable } from './connectPg.ts';
export { createPostgresReader, type PostgresReaderOptions } from './createPostgresReader.ts';
export { createPostgresStore, type PostgresStoreOptions } from './createPostgresStore.ts';
export type { PgClient, PgResult } from './PgClient.ts';
