import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Dialect } from '../../contract/index.ts';
import type { StreamGrant } from '../core/RawExchange.ts';
import { frameText } from '../core/StreamPort.ts';
import { Backlog } from './Backlog.ts';
import type { StreamConnection } from './StreamConnection.ts';

/** Bytes of one turn that are held at most; a peer that reads should not wait for more. */
const MOST_HELD = 64 * 1024;

/** A WebSocket as a stream's peer. */
export function createSocketConnection(options: {
  socket: WebSocket;
  /** What it writes to. */
  raw: Duplex;
  grant: StreamGrant;
  limits: Dialect['stream'];
  now: number;
}): StreamConnection {
  const { socket, raw, grant, limits } = options;
  const backlog = new Backlog(limits, () => socket.bufferedAmount);
  const hold = createHold(raw);
  const send = (text: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    hold(text.length);
    socket.send(text, backlog.add());
    backlog.look();
  };
  return {
    grant,
    backlog,
    lastSeen: options.now,
    port: {
      frame: (frame, data, headText) => send(frameText(frame, data, headText)),
      control: (message) => send(JSON.stringify(message)),
      close: (code, reason) => socket.close(code, reason),
    },
    beat: () => {
      if (socket.readyState === socket.OPEN) socket.ping();
    },
    cut: () => socket.terminate(),
  };
}

/**
 * Messages of one turn leave in one write: each write is a call of the system, and a chunk of its own to the reader.
 *
 * @returns to call before a message is written, with its length
 */
function createHold(raw: Duplex): (length: number) => void {
  let held = 0;
  const release = (): void => {
    held = 0;
    raw.uncork();
  };
  return (length) => {
    if (held === 0) {
      raw.cork();
      queueMicrotask(release);
    } else if (held > MOST_HELD) {
      raw.uncork();
      raw.cork();
      held = 0;
    }
    held += length;
  };
}
