/** One server-sent event. */
export interface SseEvent {
  /** `event:`, or `message` if there is none. */
  event: string;
  id: string;
  data: string;
}

/** Accepts an event stream's text in chunks of any size. */
export type SseParser = (text: string) => void;

/**
 * Parses an event stream according to the HTML standard: fields by line, an event by blank line, comments
 * skipped.
 */
export function createSseParser(onEvent: (event: SseEvent) => void): SseParser {
  let rest = '';
  /** The rest ends with a carriage return, which may be half of a line break. */
  let isHalf = false;
  let fields: { event: string; id: string; data: string[] } = { event: '', id: '', data: [] };

  const finish = (): void => {
    const { event, id, data } = fields;
    fields = { event: '', id, data: [] };
    if (data.length > 0) onEvent({ event: event || 'message', id, data: data.join('\n') });
  };
  const takeLine = (line: string): void => {
    if (line === '') return finish();
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') fields.event = value;
    else if (name === 'id') fields.id = value;
    else if (name === 'data') fields.data.push(value);
  };

  return (text) => {
    if (text === '') return;
    rest += text;
    // A line that comes in many chunks is searched once, when it may have ended.
    const mayEnd = isHalf || /[\r\n]/.test(text);
    isHalf = text.endsWith('\r');
    if (!mayEnd) return;
    const lines = rest.split(/\r\n|\n|\r(?=[^\n])/);
    rest = lines.pop() ?? '';
    for (const line of lines) takeLine(line);
  };
}
