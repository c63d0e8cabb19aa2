import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { createStreamProbe } from '../../../src/conformance/kit/createStreamProbe.ts';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';

test.each(['{"garbage":', 'null', '<html>'])('a frame %s is a difference', async (text) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  server.on('connection', (socket) => socket.send(text));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const trace = { note: () => {} };
  const probe = createStreamProbe({
    url: new URL(`ws://127.0.0.1:${port}/v1/stream`),
    headers: {},
    dialect: defaultDialect,
    env: createLiveEnv(),
    trace: trace as never,
  });
  await expect(probe).rejects.toThrow(`a text that is no frame: ${text}`);
});
