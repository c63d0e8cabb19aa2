import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { silentLog, type LinkStatus } from '../../../src/env/index.ts';
import { noteRefusedStream } from '../../../src/operate/run/noteRefusedStream.ts';

const USUAL = 'ws://127.0.0.1:9/v1/stream';

/** What is logged, and what the status says, of a stream with this address. */
function follow(wsUrl: string, ...statuses: LinkStatus[]) {
  const status$ = new Subject<LinkStatus>();
  const logged: string[] = [];
  const states: Array<string | undefined> = [];
  noteRefusedStream({
    bot: { streams: { status$ } },
    env: { log: { ...silentLog, error: (text: string) => void logged.push(text) } },
    link: { baseUrl: 'http://127.0.0.1:9', wsUrl },
    onState: (problem) => states.push(problem),
  });
  for (const status of statuses) status$.next(status);
  return { logged, states };
}
const lost = (reason: string): LinkStatus => ({ state: 'lost', reason });
const open: LinkStatus = { state: 'open' };

test('a stream that is refused for its address is said once, until it is up', () => {
  const refused = lost('refused_404_not_found');
  const said = `the stream at ws://127.0.0.1:9/ is refused (404). Is link.ws_url right? Left out, it is ${USUAL}`;
  const wrong = follow('ws://127.0.0.1:9/', refused, refused, open, refused);
  expect(wrong).toEqual({ logged: [said], states: [said, undefined] });
  const [usual] = follow(USUAL, lost('refused_426')).logged;
  expect(usual).toContain('Is link.base_url right');
});

test('what another attempt may mend, the key’s refusals, and a stream that was up say nothing of the address', () => {
  const passing = ['refused_503', 'refused_429_rate_limited', 'refused_401_unknown_key'];
  const none = { logged: [], states: [] };
  for (const reason of [...passing, 'refused_403', 'connection_failed_ECONNREFUSED', 'stalled'])
    expect(follow('ws://127.0.0.1:9/', lost(reason))).toEqual(none);
  expect(follow(USUAL, open, lost('refused_404'))).toEqual(none);
});
