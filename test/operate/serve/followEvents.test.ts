import { afterEach, expect, test, vi } from 'vitest';
import { followEvents, type LinkState } from '../../../src/operate/serve/page/followEvents.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A page whose server answers as it is told, in the test's own time. */
function openPage(answer: () => Response | Promise<Response>) {
  let time = 0;
  let timers: Array<{ at: number; run: () => void }> = [];
  const asked: number[] = [];
  const states: LinkState[] = [];
  vi.stubGlobal('fetch', async () => {
    asked.push(time);
    return answer();
  });
  const { again } = followEvents({
    ports: {
      now: () => time,
      after(ms, run) {
        const timer = { at: time + ms, run };
        timers.push(timer);
        return () => (timers = timers.filter((one) => one !== timer));
      },
      nonce: () => '',
    },
    token: () => 'token',
    onView() {},
    onBeat() {},
    onLink: (state) => void states.push(state),
  });
  const pass = async (ms: number): Promise<void> => {
    for (const end = time + ms; time < end; time += 250) {
      await new Promise(setImmediate);
      const due = timers.filter(({ at }) => at <= time);
      timers = timers.filter(({ at }) => at > time);
      for (const { run } of due) run();
    }
  };
  return { asked, states, pass, again };
}

const refusal = (status: number, code: string) => () =>
  Response.json({ error: { code, message: 'no' } }, { status });

test('a server that is away is asked again, with pauses that grow to five seconds', async () => {
  const { asked, states, pass } = openPage(() => Promise.reject(new TypeError('away')));
  await pass(60_000);
  const pauses = asked.slice(1).map((at, index) => at - asked[index]!);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(5_500);
  expect(pauses[0]).toBeLessThan(1_000);
  expect(pauses.at(-1)).toBeGreaterThanOrEqual(5_000);
  expect(states.at(-1)).toMatchObject({ kind: 'silent', reason: 'the bot is not reached' });
});

test('a 429 at the first load is waited out, and asks for no token', async () => {
  const { asked, states, pass } = openPage(refusal(429, 'rate_limited'));
  await pass(10_000);
  expect(asked.length).toBeGreaterThan(2);
  expect(new Set(states.map(({ kind }) => kind))).toEqual(new Set(['silent']));
});

test.each([
  [401, 'unauthorized'],
  [429, 'too_many_wrong_tokens'],
])('%i %s asks for another token, and is not tried again by itself', async (status, code) => {
  const { asked, states, pass } = openPage(refusal(status, code));
  await pass(10_000);
  expect(asked).toEqual([0]);
  expect(states).toEqual([{ kind: 'unauthorized', message: 'no', isWrong: true }]);
});

test('a refusal of the token before, which is read late, says nothing of the one in use', async () => {
  let finish = (): void => {};
  const late = new ReadableStream({
    start(controller) {
      finish = () => {
        controller.enqueue(new TextEncoder().encode('{"error":{"code":"unauthorized"}}'));
        controller.close();
      };
    },
  });
  const beat = 'event: beat\ndata: {"time":1,"wall_time":1}\n\n';
  const open = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(beat)),
  });
  const answers = [new Response(late, { status: 401 }), new Response(open)];
  const { asked, states, pass, again } = openPage(() => answers.shift()!);
  await pass(250);
  again();
  await pass(250);
  expect(states).toEqual([{ kind: 'open' }]);
  finish();
  await pass(1_000);
  expect(asked).toHaveLength(2);
  expect(states).toEqual([{ kind: 'open' }]);
});
