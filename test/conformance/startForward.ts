import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Forwarded {
  method: string;
  /** With its query. */
  path: string;
}

/** How a service behind it differs from the paper service. */
export interface Manner {
  /** Called before a request goes on; a status ends it here, with nothing that the service would write. */
  before?(request: Forwarded): number | undefined;
  /** The answer's body instead; null: the connection ends without an answer. */
  answer?(request: Forwarded, body: unknown): unknown;
}

/** A service without controls, as a real one: it hands `/v1` on to a paper service, by plain HTTP. */
export async function startForward(
  to: string,
  manner: () => Manner,
): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void (async () => {
      const { method = '', url: path = '', headers } = request;
      const asked = { method, path };
      const status = path.startsWith('/v1') ? manner().before?.(asked) : 404;
      if (status !== undefined) return void response.writeHead(status).end('{}');
      const body = await buffer(request);
      const named = Object.entries(headers).flatMap(([name, value]) =>
        ['host', 'connection', 'content-length', 'transfer-encoding'].includes(name)
          ? []
          : [[name, String(value)] as [string, string]],
      );
      const answer = await fetch(to + path, {
        method,
        headers: named,
        ...(body.length > 0 && { body }),
      });
      const text = await answer.text();
      const { answer: change } = manner();
      const given = change === undefined ? text : change(asked, JSON.parse(text));
      if (given === null) return void request.socket.destroy();
      const passed = [...answer.headers].filter(
        ([name]) => !['content-length', 'connection', 'keep-alive'].includes(name),
      );
      response.writeHead(answer.status, Object.fromEntries(passed));
      response.end(typeof given === 'string' ? given : JSON.stringify(given));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
