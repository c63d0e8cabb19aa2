import { createHmac } from 'node:crypto';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

/** A signed request as it passed, and which of the known keys signed it. */
export interface Witnessed {
  method: string;
  path: string;
  body: string;
  keyId: string;
  /** Ids of the keys whose secret gives this signature. */
  signedBy: string[];
  idempotencyKey: string | undefined;
  /** What the service answers; undefined until then. */
  status?: number;
  /** The client has the answer. */
  isAnswered?: boolean;
  /** Orders of other keys without an answer when this one passed. */
  othersOpen: number;
}

/** A proxy before a service that checks each signature by itself, upgrades included. */
export interface Witness {
  base_url: string;
  ws_url: string;
  requests: Witnessed[];
  /** A key that the witness can check. */
  know(keyId: string, secret: string): void;
  /** Answers to writes come this much later, milliseconds. */
  delay(ms: number): void;
  /** Nothing reaches the service, and what is open ends. */
  cut(isCut: boolean): void;
  close(): void;
}

export async function openWitness(baseUrl: string): Promise<Witness> {
  const target = new URL(baseUrl);
  const secrets = new Map<string, string>();
  const requests: Witnessed[] = [];
  let delayMs = 0;
  let isCut = false;

  const note = (from: IncomingMessage, body: string): Witnessed => {
    const { method = '', url: path = '', headers } = from;
    const text = `${String(headers['x-service-timestamp'])}${method}${path}${body}`;
    const signedBy = [...secrets].filter(
      ([, secret]) =>
        createHmac('sha256', secret).update(text).digest('hex') === headers['x-service-signature'],
    );
    const keyId = String(headers['x-service-api-key-id']);
    const isOpen = (one: Witnessed): boolean =>
      one.method === 'POST' && one.path === '/v1/order' && one.isAnswered !== true;
    const seen: Witnessed = {
      method,
      path,
      body,
      keyId,
      othersOpen: requests.filter((one) => one.keyId !== keyId && isOpen(one)).length,
      signedBy: signedBy.map(([keyId]) => keyId),
      idempotencyKey: headers['idempotency-key']?.toString(),
    };
    requests.push(seen);
    return seen;
  };

  const server = createServer((from, to) => {
    if (isCut) return void to.destroy();
    const parts: Buffer[] = [];
    from.on('data', (part: Buffer) => parts.push(part));
    from.on('end', () => {
      const body = Buffer.concat(parts);
      const seen = note(from, body.toString());
      const { method, url, headers } = from;
      const on = forward({ host: target.hostname, port: target.port, method, path: url, headers });
      on.on('error', () => to.destroy());
      on.on('response', (answer) => {
        seen.status = answer.statusCode!;
        const send = (): void => {
          seen.isAnswered = true;
          to.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(to);
        };
        if (delayMs > 0 && seen.method !== 'GET') setTimeout(send, delayMs);
        else send();
      });
      on.end(body);
    });
  });
  const sockets = new Set<{ destroy(): void }>();
  server.on('upgrade', (from, socket, head) => {
    if (isCut) return void socket.destroy();
    const seen = note(from, '');
    const on = connect(Number(target.port), target.hostname, () => {
      const lines = Object.entries(from.headers).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      on.write(`GET ${from.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      on.write(head);
      on.once('data', (start: Buffer) => (seen.status = Number(start.toString().split(' ')[1])));
      socket.pipe(on).pipe(socket);
    });
    for (const end of [on, socket]) {
      sockets.add(end);
      end.on('error', () => {});
      end.on('close', () => (on.destroy(), socket.destroy()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base_url: `http://127.0.0.1:${port}`,
    ws_url: `ws://127.0.0.1:${port}/v1/stream`,
    requests,
    know: (keyId, secret) => void secrets.set(keyId, secret),
    delay: (ms) => void (delayMs = ms),
    cut(next) {
      isCut = next;
      if (!isCut) return;
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}
