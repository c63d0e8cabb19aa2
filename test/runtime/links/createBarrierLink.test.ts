import { expect, test } from 'vitest';
import type { StreamFrame } from '../../../src/contract/index.ts';
import { createBarrierLink } from '../../../src/runtime/links/createBarrierLink.ts';
import type { Link, LinkListener } from '../../../src/env/index.ts';

function setUp() {
  let inner: LinkListener | undefined;
  const link = createBarrierLink({
    open: async (listener: LinkListener) => void (inner = listener),
  } as unknown as Link);
  const seen: string[] = [];
  void link.open({
    onFrame: ({ event, ts }) => seen.push(`${event} of ${ts} at ${link.market.now()}`),
    onStatus: () => {},
  });
  const give = (event: string, ts: number): void =>
    inner!.onFrame({
      channel: event === 'advanced' ? '_meta' : 'candles',
      event,
      ts,
    } as StreamFrame);
  return { link, seen, give };
}

test("a step's frames are delivered at its end, which is the time of all of them", async () => {
  const { link, seen, give } = setUp();
  const ended = link.nextBarrier();
  for (const ts of [60, 120]) give('bar_closed', ts);
  expect(seen).toEqual([]);
  give('advanced', 120);
  await ended;
  expect(seen).toEqual([
    'bar_closed of 60 at 120',
    'bar_closed of 120 at 120',
    'advanced of 120 at 120',
  ]);
});

test('frames of a step over many instants are each delivered at their own, after what was due before', async () => {
  const { link, seen, give } = setUp();
  link.market.at(90, () => seen.push(`task at ${link.market.now()}`));
  const ended = link.nextBarrier(true);
  for (const ts of [60, 120]) give('bar_closed', ts);
  give('advanced', 180);
  await ended;
  expect(seen).toEqual([
    'bar_closed of 60 at 60',
    'task at 90',
    'bar_closed of 120 at 120',
    'advanced of 180 at 180',
  ]);
});
