import { compare, type ComparisonResult, type Rates } from '../harness.ts';
import { SocketAudience } from '../SocketAudience.ts';
import { startServer, type BenchServer } from '../startServer.ts';
import { signedHeaders, type Credentials } from './signedRequest.ts';

const SUBSCRIBERS = 100;
/** A bar has four corners: open, both extremes, close. */
const BARS = 100;
const TICKS = BARS * 4;

/** A tick to 100 subscribers, over and over: the paper service against bare `ws`. */
export async function benchFanOut(): Promise<ComparisonResult[]> {
  const bare = await startServer(new URL('./serveBareSocket.ts', import.meta.url));
  const paper = await startServer(new URL('./servePaper.ts', import.meta.url));
  const bareAudience = new SocketAudience();
  const paperAudience = new SocketAudience();
  const [key] = paper.info['keys'] as [Credentials];
  const stream = { method: 'GET', path: '/v1/stream', body: '' };
  const subscribe = JSON.stringify({
    id: 's',
    op: 'subscribe',
    channel: 'price',
    params: { symbol: 'BTC' },
  });
  for (let index = 0; index < SUBSCRIBERS; index++) {
    await bareAudience.join(bare.port, '/', { headers: {} });
    const headers = signedHeaders(stream, key);
    await paperAudience.join(paper.port, '/v1/stream', { headers, subscribe });
  }
  // A welcome and an acknowledgement each.
  await paperAudience.expect(2 * SUBSCRIBERS);
  // Every advance ends with a frame of its own.
  const perRound = (extra: number): number => (TICKS + extra) * SUBSCRIBERS;
  const results = await compare({
    name: 'paper/fan-out: a tick to 100 subscribers',
    contenders: [
      {
        name: 'bare ws',
        run: () => round(bare, bareAudience, { do: 'send', ticks: TICKS }, perRound(0)),
      },
      {
        name: 'paper service',
        run: () => round(paper, paperAudience, { do: 'advance', bars: BARS }, perRound(1)),
      },
    ],
  });
  for (const audience of [bareAudience, paperAudience]) audience.close();
  for (const server of [bare, paper]) server.stop();
  return results;
}

async function round(
  server: BenchServer,
  audience: SocketAudience,
  order: Readonly<Record<string, unknown>>,
  frames: number,
): Promise<Rates> {
  const before = cpuOf(await server.ask({ do: 'measure' }));
  const start = process.hrtime.bigint();
  const arrived = audience.expect(frames);
  const after = cpuOf(await server.ask(order));
  await arrived;
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  return { 'frames/s': frames / seconds, 'frames/CPU-s': frames / (after - before) };
}

function cpuOf(answer: Readonly<Record<string, unknown>>): number {
  const { user, system } = answer['cpu'] as NodeJS.CpuUsage;
  return (user + system) / 1e6;
}
