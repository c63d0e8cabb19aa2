import { expect, test } from 'vitest';
import { examineStream } from '../../../src/operate/doctor/examineStream.ts';
import type { ServiceSocket } from '../../../src/wire/index.ts';

const USUAL = 'wss://service.example/v1/stream';
const OTHER = 'wss://service.example/';

/** What the doctor says of a stream that is lost for this reason, or comes up. */
function examine(reason: string | null, wsUrl = USUAL) {
  const socket: Pick<ServiceSocket, 'open' | 'close'> = {
    open: ({ onStatus }) =>
      onStatus(reason === null ? { state: 'open' } : { state: 'lost', reason }),
    close: async () => {},
  };
  return examineStream(socket as ServiceSocket, { baseUrl: 'https://service.example', wsUrl });
}

test.each([
  ['refused_404', USUAL, /^Is link.base_url right, and does everything/],
  ['refused_404', OTHER, /^Is link.ws_url right\? Left out, it is wss:.*stream$/],
  ['refused_401_unknown_key', USUAL, /^Check link.key_id .* scope read/],
  ['refused_403_insufficient_scope', OTHER, /^Check link.key_id .* scope read/],
  ['connection_failed_ECONNREFUSED', USUAL, /^Check link.base_url, and/],
  ['connection_failed_ECONNREFUSED', OTHER, /^Check link.ws_url, and/],
])('%s at %s has a remedy that mends it', async (reason, wsUrl, remedy) => {
  expect(await examine(reason, wsUrl)).toMatchObject({
    state: 'bad',
    remedy: expect.stringMatching(remedy) as string,
  });
});

test.each(['refused_408', 'refused_429_rate_limited', 'refused_503'])(
  '%s passes by itself',
  async (reason) => {
    const remedy = expect.stringContaining('again') as string;
    expect(await examine(reason)).toMatchObject({ state: 'note', remedy });
  },
);

test('a stream that comes up is well', async () => {
  for (const wsUrl of [USUAL, OTHER])
    expect(await examine(null, wsUrl)).toMatchObject({
      state: 'well',
      check: 'stream',
      text: `${wsUrl} takes the connection`,
    });
});
