import { afterEach, expect, test, vi } from 'vitest';
import { COMMAND_MS, createClient } from '../../../src/operate/serve/page/createClient.ts';

afterEach(() => void vi.unstubAllGlobals());

/** Timers that the test lets end. */
function timersByHand() {
  const waiting = new Map<() => void, number>();
  return {
    waiting,
    after(ms: number, then: () => void) {
      waiting.set(then, ms);
      return () => void waiting.delete(then);
    },
  };
}

test('a command whose answer never comes is said to be undecided, and not to have failed', async () => {
  vi.stubGlobal('fetch', (_path: string, { signal }: RequestInit) => {
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  });
  const ports = timersByHand();
  const asked = createClient(() => null, ports).post('/api/kill', {}, 'token');
  expect([...ports.waiting.values()]).toEqual([COMMAND_MS]);
  for (const end of ports.waiting.keys()) end();
  expect(await asked).toMatchObject({
    ok: false,
    status: 0,
    message: expect.stringContaining('may have carried it out'),
  });
  expect(ports.waiting.size).toBe(0);
});

test('an answered command leaves no timer', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ level: 'L1' }));
  const ports = timersByHand();
  const answer = await createClient(() => null, ports).post('/api/kill', {}, 'token');
  expect(answer).toEqual({ ok: true, value: { level: 'L1' } });
  expect(ports.waiting.size).toBe(0);
});
