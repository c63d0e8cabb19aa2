import { connect, type Socket } from 'node:net';

/** The result: an answer, a closed connection, or a timeout. */
export type Reply =
  | { kind: 'answer'; status: number; headers: Record<string, string>; body: string }
  | { kind: 'closed' }
  | { kind: 'silence' };

const PATIENCE_MS = 15_000;

/**
 * One keep-alive connection that sends bytes as they are and reads one answer at a time: a client
 * library would correct or refuse half of the fuzzer's requests.
 */
export class RawHttp {
  readonly #port: number;
  #socket: Socket | null = null;
  #bytes: Buffer = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => {};

  constructor(port: number) {
    this.#port = port;
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @param options.head whether the answer has no body (HEAD); `end`: nothing follows these bytes
   */
  async exchange(bytes: Buffer, options: { head?: boolean; end?: boolean } = {}): Promise<Reply> {
    const socket = this.#open();
    this.#bytes = Buffer.alloc(0);
    if (options.end === true) socket.end(bytes);
    else socket.write(bytes);
    const deadline = setTimeout(() => this.#wake(), PATIENCE_MS);
    const reply = await this.#read(options.head === true, Date.now() + PATIENCE_MS);
    clearTimeout(deadline);
    const keeps = reply.kind === 'answer' && reply.headers['connection'] !== 'close';
    if (!keeps || this.#bytes.length > 0 || options.end === true) this.close();
    return reply;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #open(): Socket {
    if (this.#socket !== null && !this.#ended) return this.#socket;
    this.close();
    const socket = connect({ port: this.#port, host: '127.0.0.1', allowHalfOpen: true });
    socket.setNoDelay(true);
    this.#ended = false;
    socket.on('data', (chunk: Buffer) => {
      if (socket !== this.#socket) return;
      this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
      this.#wake();
    });
    const over = (): void => {
      if (socket !== this.#socket) return;
      this.#ended = true;
      this.#wake();
    };
    socket.on('end', over);
    socket.on('close', over);
    socket.on('error', over);
    this.#socket = socket;
    return socket;
  }

  async #read(head: boolean, until: number): Promise<Reply> {
    for (;;) {
      const parsed = this.#parse(head);
      if (parsed !== null) return parsed;
      if (this.#ended) return { kind: 'closed' };
      if (Date.now() >= until) return { kind: 'silence' };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The complete answer; null until it has arrived. `100 Continue` is skipped. */
  #parse(head: boolean): Reply | null {
    const split = this.#bytes.indexOf('\r\n\r\n');
    if (split < 0) return null;
    const [first = '', ...lines] = this.#bytes.toString('latin1', 0, split).split('\r\n');
    const status = Number(first.split(' ')[1]);
    const start = split + 4;
    if (status === 100) {
      this.#bytes = this.#bytes.subarray(start);
      return this.#parse(head);
    }
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const isStream = status === 101 || headers['content-type'] === 'text/event-stream';
    if (isStream) headers['connection'] = 'close';
    const length = headers['content-length'];
    const size = head || isStream || status === 204 ? 0 : Number(length ?? Number.NaN);
    if (Number.isNaN(size) && !this.#ended) return null;
    const end = Number.isNaN(size) ? this.#bytes.length : start + size;
    if (this.#bytes.length < end) return null;
    const body = this.#bytes.toString('utf8', start, end);
    this.#bytes = isStream ? Buffer.alloc(0) : this.#bytes.subarray(end);
    return { kind: 'answer', status, headers, body };
  }
}
