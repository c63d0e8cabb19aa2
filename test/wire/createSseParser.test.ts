import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSseParser, type SseEvent } from '../../src/wire/createSseParser.ts';
import { holdLaw, Tried } from '../holdLaw.ts';

/** The HTML standard's rules, line by line over the whole text. */
function eventsOf(text: string): SseEvent[] {
  const events: SseEvent[] = [];
  let [type, id] = ['', ''];
  let data: string[] = [];
  const lines = text.split(/\r\n|\r|\n/);
  // What follows the last line break is no line.
  for (const line of lines.slice(0, -1)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line)!;
    if (line === '') {
      if (data.length > 0) events.push({ event: type || 'message', id, data: data.join('\n') });
      [type, data] = ['', []];
    } else if (name === 'data') data.push(value);
    else if (name === 'event') type = value;
    else if (name === 'id') id = value;
  }
  return events;
}

test('an event stream is read by the rules of the HTML standard, in whatever pieces it comes', async () => {
  const lines = fc.tuple(
    fc.constantFrom('', '', '', 'data', 'data', 'event', 'id', 'retry', 'other', ' data'),
    fc.constantFrom('', ':', ': ', ':  ', ':a:b'),
    fc.constantFrom('', 'x', '{"a": 1}', ' y '),
    fc.constantFrom('\n', '\r\n', '\r'),
  );
  const drawn = fc.tuple(
    fc.array(lines, { maxLength: 14, size: 'max' }),
    fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  );
  const tried = new Tried();
  await holdLaw(1_000, drawn, ([given, sizes]) => {
    // A carriage return at the very end may be half of a line break.
    const text = `${given.map((parts) => (parts[0] === '' ? parts[3] : parts.join(''))).join('')}:\n`;
    const seen: SseEvent[] = [];
    const parse = createSseParser((event) => seen.push(event));
    for (let at = 0, piece = 0; at < text.length; piece++) {
      const size = sizes[piece % sizes.length]!;
      parse(text.slice(at, at + size));
      at += size;
    }
    const expected = eventsOf(text);
    expect(seen).toEqual(expected);
    if (expected.some(({ data }) => data.includes('\n'))) tried.take('of two lines');
    if (expected.some(({ event }) => event !== 'message')) tried.take('of a type');
    const ids = new Set(expected.map(({ id }) => id));
    if (expected.length > 1 && !ids.has('')) tried.take('of an id before');
  });
  expect(tried.rare(['of two lines', 'of a type', 'of an id before'], 5)).toEqual([]);
});
