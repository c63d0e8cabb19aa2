import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** A body beyond this many times the limit isn't read to its end; the connection is cut. */
const PATIENCE = 64;

export interface ReadBody {
  text: string;
  tooLarge: boolean;
  /** What was sent, if it is not UTF-8: then the text does not tell it. */
  bytes?: Uint8Array;
}

/**
 * Reads a request's body as text, up to `limitBytes`; a longer one is read and dropped, so that the
 * client receives its 413.
 */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  done: (body: ReadBody) => void,
): void {
  if (!announcesBody(request)) {
    done({ text: '', tooLarge: false });
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limitBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes > limitBytes * PATIENCE) request.destroy();
  });
  request.on('end', () => {
    const tooLarge = bytes > limitBytes;
    const body = Buffer.concat(tooLarge ? [] : chunks);
    const text = body.toString('utf8');
    done(isUtf8(body) ? { text, tooLarge } : { text, tooLarge, bytes: body });
  });
  // A client that went away gets no response.
  request.on('error', () => {});
}

/** Most reads have no body, and waiting for its end would cost them a turn of the event loop. */
function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
