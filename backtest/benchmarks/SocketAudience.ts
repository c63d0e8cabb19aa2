import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';

/**
 * WebSocket subscribers that only count: they read the length of each frame and skip its content, so that
 * the sender is what is measured.
 */
export class SocketAudience {
  readonly #sockets: Socket[] = [];
  #seen = 0;
  #awaited = Infinity;
  #reached: () => void = () => {};

  get size(): number {
    return this.#sockets.length;
  }

  /** Adds a subscriber; `subscribe` is sent as a text frame once it is connected. */
  async join(port: number, path: string, options: JoinOptions): Promise<void> {
    const socket = await upgrade(port, path, options.headers);
    socket.setNoDelay(true);
    this.#sockets.push(socket);
    const count = countFrames((frames) => this.#take(frames));
    socket.on('data', count);
    if (options.subscribe !== undefined) socket.write(textFrame(options.subscribe));
  }

  /** Resolves when this many frames in total have arrived since the last call. */
  async expect(frames: number): Promise<void> {
    if (this.#seen < frames) {
      await new Promise<void>((resolve) => {
        this.#awaited = frames;
        this.#reached = resolve;
      });
    }
    this.#awaited = Infinity;
    this.#seen = 0;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #take(frames: number): void {
    this.#seen += frames;
    if (this.#seen >= this.#awaited) this.#reached();
  }
}

export interface JoinOptions {
  headers: Readonly<Record<string, string>>;
  subscribe?: string;
}

function upgrade(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port,
      path,
      host: '127.0.0.1',
      headers: {
        ...headers,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
    });
    request.once('upgrade', (_response, socket, head) => {
      // The first frame may have come with the handshake.
      if (head.length > 0) socket.unshift(head);
      resolve(socket as Socket);
    });
    request.once('response', ({ statusCode }) => reject(new Error(`Upgrade: ${statusCode}`)));
    request.once('error', reject);
    request.end();
  });
}

/** A masked text frame of up to 125 bytes or a little more, as clients send them. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const length =
    payload.length < 126
      ? [0x80 | payload.length]
      : [0xfe, payload.length >> 8, payload.length & 255];
  for (const [index, byte] of payload.entries()) payload[index] = byte ^ mask[index % 4]!;
  return Buffer.concat([Buffer.from([0x81, ...length]), mask, payload]);
}

/** Counts the frames of a byte stream; pings count as well as texts. */
function countFrames(onFrames: (count: number) => void): (chunk: Buffer) => void {
  let head = Buffer.alloc(0);
  let skip = 0;
  return (chunk) => {
    let at = 0;
    let frames = 0;
    while (at < chunk.length || skip === 0) {
      if (skip > 0) {
        const step = Math.min(skip, chunk.length - at);
        skip -= step;
        at += step;
        if (skip > 0) break;
        frames++;
        continue;
      }
      const rest =
        head.length === 0 ? chunk.subarray(at) : Buffer.concat([head, chunk.subarray(at)]);
      const size = headSize(rest);
      if (rest.length < size) {
        head = Buffer.from(rest);
        break;
      }
      at += size - head.length;
      head = Buffer.alloc(0);
      skip = payloadSize(rest);
      if (skip === 0) frames++;
      if (at >= chunk.length) break;
    }
    if (frames > 0) onFrames(frames);
  };
}

function headSize(bytes: Buffer): number {
  if (bytes.length < 2) return 2;
  const length = bytes[1]! & 0x7f;
  return length === 126 ? 4 : length === 127 ? 10 : 2;
}

function payloadSize(bytes: Buffer): number {
  const length = bytes[1]! & 0x7f;
  if (length < 126) return length;
  return length === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
}
