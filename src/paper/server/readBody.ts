import type { IncomingMessage } from 'node:http';

/** A body beyond this many times the limit isn't read to its end; the connection is cut. */
const PATIENCE = 64;

/**
 * Reads a request's body as text, up to `limitBytes`; a longer one is read and dropped, so that the
 * client receives its 413.
 */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  done: (body: { text: string; tooLarge: boolean }) => void,
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
    done({ text: tooLarge ? '' : Buffer.concat(chunks).toString('utf8'), tooLarge });
  });
  // A client that went away gets no response.
  request.on('error', () => {});
}

/** Most reads have no body, and waiting for its end would cost them a turn of the event loop. */
function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
