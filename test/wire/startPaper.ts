import { onTestFinished } from 'vitest';
import { foreignDialect } from './foreign/foreignDialect.ts';
import { startForeignService } from './foreign/startForeignService.ts';
import { defaultDialect } from '../../src/contract/dialect.ts';
import { createLiveEnv } from '../../src/env/createLiveEnv.ts';
import { decodeFrame } from '../../src/frames/decodeFrame.ts';
import { generateFeed, paperSettings, startPaperServer } from '../../src/paper/index.ts';
import { createClient } from '../../src/wire/createClient.ts';
import { createHttpClient } from '../../src/wire/createHttpClient.ts';
import { createPaperControls } from '../../src/wire/createPaperControls.ts';
import { createSigner } from '../../src/wire/createSigner.ts';
import { createSocket } from '../../src/wire/createSocket.ts';

export const TAPE_START = 1_735_689_600_000;
export const WARMUP = 100;

/** A file that sets it runs against a service that does everything that the spec leaves open otherwise. */
export const speech = { isForeign: false };

/** The real paper service, paused after its warm-up, with a client, a socket and its controls. */
export async function startPaper(settings: { budget?: 'off' | 'on' } = {}) {
  const env = createLiveEnv();
  const feeds = ['BTC', 'HYPE/USDC'].map((symbol) =>
    generateFeed({
      symbol,
      bars: 1_000,
      interval: '1m',
      seed: 'wire',
      startTime: TAPE_START,
      startPrice: 20_000,
    }),
  );
  const server = await startPaperServer(
    {
      settings: paperSettings.parse({
        feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }],
        connections: [{ label: 'Second' }],
        paused: true,
        speed: 'max',
        warmup: WARMUP,
        port: 0,
        limits: settings.budget ?? 'off',
      }),
      data: { feeds, funding: {} },
    },
    env,
  );
  onTestFinished(() => server.close());
  const { keyId, secret } = server;
  const { baseUrl, wsUrl } = speech.isForeign ? await startForeignService(server) : server;
  const dialect = speech.isForeign ? foreignDialect : defaultDialect;
  const signer = createSigner({ keyId, secret, dialect, clock: env.clock });
  const http = createHttpClient({ baseUrl, dialect, signer, env });
  const decode = (text: string) => decodeFrame(text, dialect);
  const socket = createSocket({ wsUrl, dialect, signer, env, decode });
  const controls = createPaperControls(baseUrl, env);
  onTestFinished(async () => {
    await Promise.all([http.close(), socket.close(), controls.close()]);
  });
  const client = createClient(http, dialect);
  return {
    server: { baseUrl, wsUrl, keyId, secret },
    dialect,
    env,
    http,
    socket,
    controls,
    client,
  };
}
