import { afterEach, expect, test, vi } from 'vitest';
import { followEvents, type LinkState } from '../../../src/operate/serve/page/followEvents.ts';
import type { WholeView } from '../../../src/operate/state/index.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A page whose server answers as it is told, in the test's own time. */
function openPage(
  answer: (init: RequestInit) => Response | Promise<Response>,
  token: () => string | null = () => 'token',
) {
  let time = 0;
  let timers: Array<{ at: number; run: () => void }> = [];
  const asked: number[] = [];
  const states: LinkState[] = [];
  const views: WholeView[] = [];
  const beats: unknown[] = [];
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    asked.push(time);
    return answer(init);
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
    token,
    onView: (view) => void views.push(view),
    onBeat: (times) => void beats.push(times),
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
  return { asked, states, views, beats, pass, again };
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

/** A stream that the test writes to, and that ends if the page leaves it. */
function openStream(init: RequestInit) {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  const stream = { isLeft: false, headers: init.headers as Record<string, string> };
  init.signal?.addEventListener('abort', () => {
    stream.isLeft = true;
    controller.error(init.signal!.reason);
  });
  return Object.assign(stream, {
    response: new Response(body),
    send: (event: string, data: object) =>
      controller.enqueue(
        new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
      ),
    comment: () => controller.enqueue(new TextEncoder().encode(': alive\n\n')),
    end: () => controller.close(),
  });
}

/** A page with a server that answers each time with a stream, in the order in which they were opened. */
function openStreams(token?: () => string | null) {
  const streams: Array<ReturnType<typeof openStream>> = [];
  const page = openPage((init) => {
    const stream = openStream(init);
    streams.push(stream);
    return stream.response;
  }, token);
  return { ...page, streams };
}

const whole = (sequence: number) => ({ sequence, time: 0, wall_time: 0, blocks: {}, events: [] });

test('a connection that ends is opened again after its last change, and the page says how long it lacked one', async () => {
  const { streams, states, views, pass } = openStreams();
  await pass(250);
  streams[0]!.send('view', whole(4));
  streams[0]!.send('change', whole(5));
  await pass(1_000);
  streams[0]!.comment();
  await pass(250);
  streams[0]!.end();
  await pass(1_000);
  expect(streams.map(({ headers }) => headers)).toEqual([
    { authorization: 'Bearer token' },
    { authorization: 'Bearer token', 'last-event-id': '5' },
  ]);
  // Since the last sign of life, whatever it was.
  const reason = 'the bot has closed the connection';
  expect(states).toEqual([{ kind: 'open' }, { kind: 'silent', since: 1_250, reason }]);
  streams[1]!.send('change', whole(6));
  await pass(500);
  expect(states.at(-1)).toEqual({ kind: 'open' });
  expect(views.map(({ sequence }) => sequence)).toEqual([4, 5, 6]);
});

test('a stream that lacks a change is left, and the whole view is asked for', async () => {
  const { streams, states, views, pass } = openStreams();
  await pass(250);
  streams[0]!.send('view', whole(4));
  await pass(250);
  streams[0]!.send('change', whole(6));
  await pass(1_000);
  expect(streams[0]!.isLeft).toBe(true);
  expect(states.at(-1)).toMatchObject({ kind: 'silent', reason: 'a change is missing' });
  expect(streams[1]!.headers).not.toHaveProperty('last-event-id');
  // What comes without a whole view before it is nothing either.
  streams[1]!.send('change', whole(7));
  await pass(1_500);
  expect(streams[1]!.isLeft).toBe(true);
  streams[2]!.send('view', whole(8));
  await pass(250);
  expect(views.map(({ sequence }) => sequence)).toEqual([4, 8]);
  expect(states.at(-1)).toEqual({ kind: 'open' });
});

test('any sign of life within four seconds is one, and a stream without is left', async () => {
  const { streams, states, beats, pass } = openStreams();
  await pass(3_500);
  for (let at = 0; at < 5; at++) {
    if (at % 2 === 0) streams[0]!.send('beat', { time: at, wall_time: at });
    else streams[0]!.comment();
    await pass(3_500);
  }
  expect(streams).toHaveLength(1);
  expect(states).toEqual([{ kind: 'open' }]);
  expect(beats).toEqual([0, 2, 4].map((at) => ({ time: at, wall_time: at })));
  await pass(1_000);
  expect(streams[0]!.isLeft).toBe(true);
  expect(states.at(-1)).toMatchObject({ kind: 'silent', reason: 'nothing came for 4 s' });
  // The next one has as long, though nothing came for longer.
  await pass(3_500);
  expect(streams).toHaveLength(2);
  expect(streams[1]!.isLeft).toBe(false);
  await pass(1_500);
  expect(streams[1]!.isLeft).toBe(true);
});

test('a bot that was back for a moment is asked again as soon as at first', async () => {
  let isAway = true;
  const { asked, pass } = openPage((init) => {
    if (isAway) throw new TypeError('away');
    isAway = true;
    const { response, comment, end } = openStream(init);
    comment();
    end();
    return response;
  });
  await pass(30_000);
  isAway = false;
  await pass(7_000);
  const pauses = asked.slice(1).map((at, index) => at - asked[index]!);
  expect(pauses.filter((pause) => pause <= 750)).toHaveLength(2);
});

test('with another token there is one connection, and it begins anew', async () => {
  let token: string | null = null;
  const { streams, states, pass, again } = openStreams(() => token);
  await pass(250);
  streams[0]!.send('view', whole(4));
  await pass(250);
  token = 'next';
  again();
  await pass(3_000);
  expect(streams[0]!.isLeft).toBe(true);
  expect(streams.map(({ headers }) => headers)).toEqual([{}, { authorization: 'Bearer next' }]);
  expect(states).toEqual([{ kind: 'open' }]);
});

test('a token that is given while the page waits opens one connection, and soon another if that fails', async () => {
  let isAway = true;
  const streams: Array<ReturnType<typeof openStream>> = [];
  const { asked, pass, again } = openPage((init) => {
    if (isAway) throw new TypeError('away');
    streams.push(openStream(init));
    return streams.at(-1)!.response;
  });
  await pass(20_000);
  const before = asked.length;
  again();
  await pass(750);
  // The pauses are those of a beginning.
  expect(asked.length - before).toBe(2);
  await pass(20_000);
  isAway = false;
  again();
  for (let second = 0; second < 10; second++) {
    await pass(1_000);
    for (const stream of streams) stream.comment();
  }
  expect(streams).toHaveLength(1);
});

test('a token that was replaced by a wrong one is asked for, and the next one opens the page', async () => {
  const answers = [openStream, () => undefined, openStream];
  const streams: Array<ReturnType<typeof openStream>> = [];
  const { states, pass, again } = openPage((init) => {
    const stream = answers.shift()!(init);
    if (stream === undefined) return refusal(401, 'unauthorized')();
    streams.push(stream);
    return stream.response;
  });
  await pass(250);
  streams[0]!.comment();
  await pass(250);
  again();
  await pass(250);
  again();
  await pass(250);
  streams[1]!.comment();
  await pass(250);
  expect(states.map(({ kind }) => kind)).toEqual(['open', 'unauthorized', 'open']);
});

test('wrong tokens of others close nothing that is shown, and no token is wrong where none was given', async () => {
  let refused: Response | undefined;
  const streams: Array<ReturnType<typeof openStream>> = [];
  const { states, pass } = openPage(
    (init) => {
      if (refused !== undefined) return refused.clone();
      streams.push(openStream(init));
      return streams.at(-1)!.response;
    },
    () => null,
  );
  await pass(250);
  streams[0]!.send('view', whole(1));
  await pass(250);
  refused = refusal(429, 'too_many_wrong_tokens')();
  streams[0]!.end();
  await pass(3_000);
  expect(states.at(-1)).toMatchObject({ kind: 'silent', reason: 'no' });
  refused = refusal(401, 'unauthorized')();
  await pass(10_000);
  expect(states.at(-1)).toEqual({ kind: 'unauthorized', message: 'no', isWrong: false });
});

test('an answer of something else than the bot is shown by its number', async () => {
  const { states, pass } = openPage(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await pass(500);
  expect(states[0]).toMatchObject({ kind: 'silent', reason: 'The server answered 502.' });
});
