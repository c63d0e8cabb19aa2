// Server-sent events from a response: an EventSource can't send an Authorization header.

export interface ServerMessage {
  event: string;
  id: string | undefined;
  data: string;
}

/** More than this without an end of a message is no stream of events. */
const MOST_CHARACTERS = 2 ** 24;

/**
 * Calls back with each message; comments only count as a sign of life.
 *
 * @throws Error if the connection breaks, or the stream is none of events
 */
export async function readMessages(
  body: ReadableStream<Uint8Array>,
  onMessage: (message: ServerMessage | null) => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    if (text.length > MOST_CHARACTERS) throw new Error('a message without an end');
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) onMessage(toMessage(block));
  }
}

function toMessage(block: string): ServerMessage | null {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const at = line.indexOf(': ');
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 2));
  }
  const [event, data] = [fields.get('event'), fields.get('data')];
  if (event === undefined || data === undefined) return null;
  return { event, data, id: fields.get('id') };
}
