import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A package as `npm publish` sends it, and as the registry answers it. */
interface Packument {
  name: string;
  'dist-tags': Record<string, string>;
  versions: Record<string, { dist: { tarball: string } }>;
}
interface Published extends Packument {
  _attachments: Record<string, { data: string }>;
}

export interface Registry {
  url: string;
  /** Paths that were asked for. */
  requests: string[];
  close(): void;
}

/**
 * A registry on this machine over HTTP: takes what is published, and answers it.
 *
 * @param upstream where npm is sent for everything else
 */
export async function startRegistry(upstream: string): Promise<Registry> {
  const packuments = new Map<string, Packument>();
  const tarballs = new Map<string, Buffer>();
  const requests: string[] = [];

  function publish({ _attachments: attachments, ...sent }: Published): void {
    for (const [file, { data }] of Object.entries(attachments))
      tarballs.set(`/${sent.name}/-/${file}`, Buffer.from(data, 'base64'));
    const before = packuments.get(sent.name);
    packuments.set(sent.name, {
      ...sent,
      'dist-tags': { ...before?.['dist-tags'], ...sent['dist-tags'] },
      versions: { ...before?.versions, ...sent.versions },
    });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(request.url!.split('?')[0]!);
    requests.push(`${request.method} ${path}`);
    if (request.method === 'PUT') {
      publish(JSON.parse(await textOf(request)) as Published);
      response.writeHead(201, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const found = tarballs.get(path) ?? packuments.get(path.slice(1));
    if (found === undefined)
      response.writeHead(302, { location: new URL(request.url!, upstream).href }).end();
    else response.end(Buffer.isBuffer(found) ? found : JSON.stringify(found));
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const part of request) text += part as string;
  return text;
}
