import type { ServerResponse } from 'node:http';
import type { Dialect } from '../../contract/index.ts';
import { sseFrameId } from '../core/parseSseChannels.ts';
import type { StreamGrant } from '../core/RawExchange.ts';
import { frameText } from '../core/StreamPort.ts';
import { Backlog } from './Backlog.ts';
import type { StreamConnection } from './StreamConnection.ts';

/** A server-sent event stream as a stream's peer; it is one-way, so it has no acks. */
export function createSseConnection(options: {
  response: ServerResponse;
  grant: StreamGrant;
  limits: Dialect['stream'];
  now: number;
}): StreamConnection {
  const { response, grant, limits } = options;
  const backlog = new Backlog(limits, () => response.writableLength);
  const write = (text: string): void => {
    if (response.writableEnded || response.destroyed) return;
    response.write(text, backlog.add());
    backlog.look();
  };
  return {
    grant,
    backlog,
    lastSeen: options.now,
    port: {
      frame(frame, data, headText) {
        const id = sseFrameId(frame.channel, frame.params, frame.seq);
        const text = frameText(frame, data, headText);
        write(`event: ${frame.channel}\nid: ${id}\ndata: ${text}\n\n`);
      },
      control: () => {},
      close: () => response.end(),
    },
    beat: () => write(': alive\n\n'),
    cut: () => response.destroy(),
  };
}
