import { WebSocket } from 'ws';
import { sign, type Credentials, type HeaderList } from './toHttp.ts';

export interface SocketReply {
  /** The control message received; null: the connection was closed, or none came. */
  message: Record<string, unknown> | null;
  closed: boolean;
}

const PATIENCE_MS = 15_000;

/** One stream that sends a text and waits for the one control message that answers it. */
export class FuzzSocket {
  readonly #socket: WebSocket;
  #wake: (reply: SocketReply) => void = () => {};
  #isOpen = true;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as Record<string, unknown>;
      // Frames of channels have no type; only acks, errors and results are answers.
      if (message['type'] !== undefined) this.#wake({ message, closed: false });
    });
    const over = (): void => {
      this.#isOpen = false;
      this.#wake({ message: null, closed: true });
    };
    socket.on('close', over);
    socket.on('error', over);
  }

  static open(port: number, credentials: Credentials, wallTime: number): Promise<FuzzSocket> {
    const headers: HeaderList = [];
    sign(
      { method: 'GET', target: '/v1/stream', headers, body: Buffer.alloc(0) },
      credentials,
      wallTime,
    );
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/stream`, {
      headers: Object.fromEntries(headers),
      perMessageDeflate: false,
    });
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(new FuzzSocket(socket)));
      socket.once('error', reject);
    });
  }

  get isOpen(): boolean {
    return this.#isOpen && this.#socket.readyState === WebSocket.OPEN;
  }

  exchange(data: string | Buffer): Promise<SocketReply> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ message: null, closed: false }), PATIENCE_MS);
      this.#wake = (reply) => {
        clearTimeout(timer);
        resolve(reply);
      };
      this.#socket.send(data);
    });
  }

  close(): void {
    this.#socket.terminate();
  }
}
