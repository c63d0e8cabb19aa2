import { connect, type Socket } from 'node:net';

/** The bytes of a request: built on each call, or always the same. */
export type NextRequest = () => Buffer;

/**
 * Keep-alive connections over raw sockets, one request in flight on each: light enough that the server is
 * what is measured. Of a response it reads only where it ends.
 */
export class HttpLoad {
  readonly #sockets: Socket[] = [];
  readonly #port: number;
  readonly #connections: number;

  constructor(port: number, connections: number) {
    this.#port = port;
    this.#connections = connections;
  }

  async open(): Promise<void> {
    for (let index = 0; index < this.#connections; index++) {
      const socket = connect(this.#port, '127.0.0.1');
      socket.setNoDelay(true);
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', () => resolve());
        socket.once('error', reject);
      });
      this.#sockets.push(socket);
    }
  }

  /**
   * Sends a number of requests over all connections.
   *
   * @param expected status that every response must have
   * @param next the requests to send, in turn
   * @returns seconds
   */
  run(total: number, expected: number, next: readonly NextRequest[]): Promise<number> {
    const status = Buffer.from(`HTTP/1.1 ${expected}`);
    return new Promise((resolve, reject) => {
      let sent = 0;
      let answered = 0;
      const start = process.hrtime.bigint();
      const finish = (error?: Error): void => {
        for (const socket of this.#sockets) {
          socket.removeAllListeners('data');
          socket.removeAllListeners('close');
        }
        if (error !== undefined) reject(error);
        else resolve(Number(process.hrtime.bigint() - start) / 1e9);
      };
      for (const socket of this.#sockets) {
        const send = (): void => {
          if (socket.destroyed) {
            finish(new Error('The server has closed a connection.'));
            return;
          }
          if (sent >= total) return;
          socket.write(next[sent++ % next.length]!());
        };
        socket.on('close', () => finish(new Error('The server has closed a connection.')));
        let waiting: Buffer | null = null;
        socket.on('data', (chunk: Buffer) => {
          const bytes = waiting === null ? chunk : Buffer.concat([waiting, chunk]);
          waiting = bytes;
          if (!isWhole(bytes)) return;
          waiting = null;
          if (bytes.compare(status, 0, status.length, 0, status.length) !== 0) {
            finish(new Error(bytes.toString('utf8', 0, 600)));
            return;
          }
          if (++answered === total) finish();
          else send();
        });
        send();
      }
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

const LENGTH = 'content-length: ';

/** Whether a response has arrived completely. */
function isWhole(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = bytes.toString('latin1', 0, end).toLowerCase();
  const at = head.indexOf(LENGTH);
  if (at < 0) throw new Error('An answer has no Content-Length.');
  return bytes.length >= end + 4 + Number.parseInt(head.slice(at + LENGTH.length), 10);
}
