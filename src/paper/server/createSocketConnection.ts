import type { WebSocket } from 'ws';
import type { Dialect } from '../../contract/index.ts';
import type { StreamGrant } from '../core/RawExchange.ts';
import { frameText } from '../core/StreamPort.ts';
import { Backlog } from './Backlog.ts';
import type { StreamConnection } from './StreamConnection.ts';

/** A WebSocket as a stream's peer. */
export function createSocketConnection(options: {
  socket: WebSocket;
  grant: StreamGrant;
  limits: Dialect['stream'];
  now: number;
}): StreamConnection {
  const { socket, grant, limits } = options;
  const backlog = new Backlog(limits, () => socket.bufferedAmount);
  const send = (text: string): void => {
    if (socket.readyState !== socket.OPEN) return;
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
