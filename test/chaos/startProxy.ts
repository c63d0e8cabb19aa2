import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy between bot and service that can fail like a network. */
export interface Proxy {
  port: number;
  /** Ends every connection, and refuses new ones for this long. */
  cut(forMs: number): void;
  /** Drops all traffic without an error; then resets every connection. */
  silence(forMs: number): void;
  /** Each chunk is delayed by this much, for this long. */
  slow(delayMs: number, forMs: number): void;
  /** The next responses lose their second half, and their connections. */
  tearAnswers(count: number): void;
  /** Connections and answers that were corrupted. */
  readonly spoilt: number;
  close(): Promise<void>;
}

export async function startProxy(targetPort: number): Promise<Proxy> {
  const state = { refuses: false, isSilent: false, delayMs: 0, tears: 0, spoilt: 0 };
  const pairs = new Set<[Socket, Socket]>();
  const server = createServer((near) => {
    if (state.refuses) {
      state.spoilt++;
      return void near.resetAndDestroy();
    }
    const far = connect(targetPort, '127.0.0.1');
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    near.on('data', (bytes) => pass(bytes, far));
    far.on('data', (bytes) => {
      if (state.tears === 0 || !bytes.subarray(0, 5).equals(Buffer.from('HTTP/'))) {
        return pass(bytes, near);
      }
      state.tears--;
      state.spoilt++;
      near.end(bytes.subarray(0, bytes.length / 2), () => near.resetAndDestroy());
    });
  });

  function pass(bytes: Buffer, to: Socket): void {
    if (state.isSilent) return;
    if (state.delayMs === 0) return void to.write(bytes);
    // Equal delays keep the order.
    setTimeout(() => to.destroyed || to.write(bytes), state.delayMs);
  }
  function reset(): void {
    state.spoilt += pairs.size;
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
    pairs.clear();
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut(forMs) {
      state.refuses = true;
      reset();
      setTimeout(() => (state.refuses = false), forMs);
    },
    silence(forMs) {
      state.isSilent = true;
      setTimeout(() => {
        state.isSilent = false;
        reset();
      }, forMs);
    },
    slow(delayMs, forMs) {
      state.delayMs = delayMs;
      state.spoilt += pairs.size;
      setTimeout(() => (state.delayMs = 0), forMs);
    },
    tearAnswers: (count) => void (state.tears += count),
    get spoilt() {
      return state.spoilt;
    },
    async close() {
      reset();
      server.close();
      await once(server, 'close');
    },
  };
}
