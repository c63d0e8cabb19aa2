/** How streams end: with a goodbye, and without the peer's help where that does not hear it. */
import { expect, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/createVirtualEnv.ts';
import type { PaperCore } from '../../../src/paper/core/PaperCore.ts';
import { Backlog } from '../../../src/paper/server/Backlog.ts';
import { createStreams } from '../../../src/paper/server/createStreams.ts';
import type { StreamConnection } from '../../../src/paper/server/StreamConnection.ts';

const limits = defaultDialect.stream;

function open() {
  const env = createVirtualEnv();
  const reported: string[] = [];
  const core = {
    openSession: ({ keyId }: { keyId: string }) => ({
      close: () => void reported.push(`${keyId} session over`),
    }),
  } as unknown as PaperCore;
  const streams = createStreams({ core, limits, env });
  const connect = (keyId: string, kind = 'sse'): StreamConnection => {
    const connection = {
      grant: { kind, keyId },
      port: { close: (code: number) => void reported.push(`${keyId} goodbye ${code}`) },
      backlog: new Backlog(limits, () => 0),
      lastSeen: 0,
      beat: () => {},
      cut: () => void reported.push(`${keyId} cut`),
    } as unknown as StreamConnection;
    streams.open(connection, 0);
    return connection;
  };
  const pass = (ms: number): string[] => {
    env.queue.advanceTo(env.queue.now() + ms);
    return reported.splice(0);
  };
  return { streams, connect, pass };
}

test('a peer that does not hear the goodbye is cut, and one that is gone is not', () => {
  const { streams, connect, pass } = open();
  connect('deaf');
  const polite = connect('polite');
  connect('other');
  streams.closeKey('deaf');
  streams.closeKey('polite');
  expect(pass(0)).toEqual([
    'deaf session over',
    'deaf goodbye 4001',
    'polite session over',
    'polite goodbye 4001',
  ]);
  streams.drop(polite);
  expect(pass(1_499)).toEqual([]);
  expect(pass(1)).toEqual(['deaf cut']);
  streams.closeAll(1012, 'service restart');
  expect(pass(10_000)).toEqual(['other session over', 'other goodbye 1012', 'other cut']);
  expect([...streams.list()]).toEqual([]);
});

test('a service that ends leaves no timer, whatever its streams were doing', () => {
  const { streams, connect, pass } = open();
  connect('silent', 'websocket');
  connect('deaf');
  streams.closeKey('deaf');
  pass(0);
  streams.stop();
  expect(pass(10 * limits.serverIdleCloseMs)).toEqual([]);
});
