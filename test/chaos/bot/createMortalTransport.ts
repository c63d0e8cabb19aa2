import { connect } from 'node:net';
import type { Transport, TransportRequest } from '../../../src/wire/createTransport.ts';
import type { Boundary } from '../boundaries.ts';
import type { Reach } from './createReach.ts';

/** HTTP whose process may die with half of a request sent, or all of it. */
export function createMortalTransport(inner: Transport, origin: URL, reach: Reach): Transport {
  return {
    close: () => inner.close(),
    send(request) {
      if (request.method === 'GET') return inner.send(request);
      const dying = (['half the request written', 'request complete'] as const).filter((boundary) =>
        reach.arrives(boundary),
      );
      const [boundary] = dying;
      return boundary === undefined ? inner.send(request) : lastWords(request, boundary);
    },
  };

  /** The bytes are sent on a separate socket, and the process dies once the system has them. */
  function lastWords(request: TransportRequest, boundary: Boundary): Promise<never> {
    const bytes = toBytes(request, origin);
    const part = boundary === 'request complete' ? bytes : bytes.subarray(0, cutOf(bytes, request));
    const socket = connect(Number(origin.port), origin.hostname, () => {
      socket.write(part, () => reach.die(boundary));
    });
    socket.on('error', () => reach.die(boundary));
    return new Promise<never>(() => {});
  }
}

/** Half of the body, or of the head if there is no body. */
function cutOf(bytes: Buffer, { body }: TransportRequest): number {
  const size = Buffer.byteLength(body);
  return size === 0 ? Math.floor(bytes.length / 2) : bytes.length - Math.ceil(size / 2);
}

function toBytes({ method, path, headers, body }: TransportRequest, origin: URL): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${origin.host}\r\n${lines.join('')}${length}\r\n`;
  return Buffer.from(head + body);
}
