import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Dialect } from '../../contract/index.ts';
import type { StreamGrant } from '../core/RawExchange.ts';
import { frameText } from '../core/StreamPort.ts';
import { Backlog } from './Backlog.ts';
import type { StreamConnection } from './StreamConnection.ts';

/**
 * A WebSocket as a stream's peer. All frames of one turn go out as one write: a system call costs both sides more
 * than a frame.
 */
export function createSocketConnection(options: {
  socket: WebSocket;
  /** What the WebSocket writes to. */
  stream: Duplex;
  grant: StreamGrant;
  limits: Dialect['stream'];
  now: number;
}): StreamConnection {
  const { socket, stream, grant, limits } = options;
  const backlog = new Backlog(limits, () => socket.bufferedAmount);
  let isHeld = false;
  const release = (): void => {
    if (isHeld) stream.uncork();
    isHeld = false;
  };
  const send = (text: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (!isHeld) {
      isHeld = true;
      stream.cork();
      queueMicrotask(release);
    }
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
    cut() {
      // What was sent before a cut has left.
      release();
      socket.terminate();
    },
  };
}
