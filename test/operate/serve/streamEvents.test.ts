import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createEventStreams } from '../../../src/operate/serve/streamEvents.ts';

/** A reader whose connection takes what is sent as soon as the test says so. */
function openResponse() {
  let text = '';
  const response = Object.assign(new EventEmitter(), {
    status: 0,
    writableLength: 0,
    isDestroyed: false,
    writeHead: (status: number) => void (response.status = status),
    flushHeaders() {},
    write(part: string) {
      text += part;
      response.writableLength += part.length;
    },
    end: (part: string) => void (text += part),
    destroy: () => void (response.isDestroyed = true),
    text: () => text,
  });
  return response;
}

function openStreams(viewSize: number) {
  const listeners = new Set<(change: unknown) => void>();
  const state = {
    view: () => ({ sequence: 1, blocks: { text: 'x'.repeat(viewSize) } }),
    events: () => [],
    since: (after: number) =>
      after === 7 ? [{ sequence: 8, text: 'x'.repeat(viewSize) }] : undefined,
    listen(listener: (change: unknown) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const env = createVirtualEnv();
  const streams = createEventStreams(state as never, { env, now: () => 0, control: false });
  const open = (headers: Record<string, string> = {}) => {
    const response = openResponse();
    streams.open({ headers } as unknown as IncomingMessage, response as never);
    return response;
  };
  const change = (size: number): void => {
    for (const listener of listeners) listener({ sequence: 9, text: 'x'.repeat(size) });
  };
  const idle = (): void => {
    for (const listener of listeners) listener(null);
  };
  return { open, change, idle, listeners, env };
}

const MEGABYTE = 2 ** 20;

test.each([
  ['begins', {}],
  ['comes again', { 'last-event-id': '7' }],
])(
  'a reader that %s with more than a megabyte is followed, and let go once it stalls',
  (_how, headers) => {
    const { open, change, listeners } = openStreams(3 * MEGABYTE);
    const reader = open(headers);
    expect([reader.isDestroyed, listeners.size]).toEqual([false, 1]);
    change(MEGABYTE / 2);
    expect(reader.isDestroyed).toBe(false);
    change(MEGABYTE);
    expect([reader.isDestroyed, listeners.size]).toEqual([true, 0]);
  },
);

test('sixteen readers are followed, the next one is refused, and each that leaves makes room', () => {
  const { open, listeners } = openStreams(10);
  const readers = Array.from({ length: 16 }, () => open());
  expect(readers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
  const refused = open();
  expect([refused.status, listeners.size]).toEqual([503, 16]);
  expect(refused.text()).toContain('too_many_readers');
  readers[3]!.emit('close');
  expect([open().status, listeners.size]).toEqual([200, 16]);
});

test('a silent connection has a comment every fifteen seconds, so that no proxy cuts it, until it is left', () => {
  const { open, env } = openStreams(10);
  const reader = open();
  const comments = (): number => reader.text().split(': \n\n').length - 1;
  for (const [seconds, count] of [
    [14, 0],
    [15, 1],
    [29, 1],
    [30, 2],
    [300, 20],
  ] as const) {
    env.queue.advanceTo(seconds * 1_000);
    expect([seconds, comments()]).toEqual([seconds, count]);
  }
  reader.emit('close');
  env.queue.advanceTo(600_000);
  expect([comments(), env.queue.nextTime()]).toEqual([20, undefined]);
});

test('while nothing changes a beat a second says that the main loop runs', () => {
  const { open, idle, env } = openStreams(10);
  const reader = open();
  const beats = (): number => reader.text().split('event: beat').length - 1;
  for (let half = 1; half <= 10; half++) {
    env.queue.advanceTo(half * 500);
    idle();
    expect([half, beats()]).toEqual([half, Math.floor(half / 2)]);
  }
});
