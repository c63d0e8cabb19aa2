import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ObjectSource } from './SweepContent.ts';

export interface ContentServer {
  /** `http://HOST:PORT/` */
  url: string;
  token: string;
  close(): Promise<void>;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Serves objects by their digest, and nothing else, to who has the token, which the plan carries to workers.
 *
 * @throws if the address can't be listened on
 */
export async function serveContent(
  sources: ReadonlyMap<string, ObjectSource>,
  { host, port }: { host: string; port: number },
): Promise<ContentServer> {
  const token = randomBytes(32).toString('base64url');
  const expected = digest(`Bearer ${token}`);
  const server = createServer((request, response) => {
    const refuse = (status: number): void => void response.writeHead(status).end();
    const given = digest(request.headers.authorization ?? '');
    if (!timingSafeEqual(given, expected)) return refuse(401);
    const source = sources.get((request.url ?? '').slice(1));
    if (request.method !== 'GET') return refuse(405);
    if (source === undefined) return refuse(404);
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    if ('bytes' in source) return void response.end(source.bytes);
    const file = createReadStream(source.path);
    // A file that vanished ends the answer, and the worker finds its digest wrong.
    file.on('error', () => response.destroy());
    response.on('close', () => file.destroy());
    file.pipe(response);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shown}:${bound}/`,
    token,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
