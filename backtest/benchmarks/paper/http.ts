import { compare, type ComparisonResult, type Contender, type Rates } from '../harness.ts';
import { HttpLoad } from '../HttpLoad.ts';
import { startServer, type BenchServer } from '../startServer.ts';
import { WALLETS } from './settings.ts';
import { signedRequest, type Credentials, type PlainRequest } from './signedRequest.ts';

const PRICE: PlainRequest = { method: 'GET', path: '/v1/price/BTC', body: '' };
const ORDER: PlainRequest = {
  method: 'POST',
  path: '/v1/order',
  body: JSON.stringify({
    symbol: 'BTC',
    side: 'buy',
    size: 0.001,
    order_type: 'limit',
    price: 20_000,
    time_in_force: 'gtc',
  }),
};

const CONNECTIONS = 32;

/** A load: the request, how often, and the status of its responses. */
interface Load {
  request: PlainRequest;
  /** Few, so that a slow moment of the machine lasts longer than a round. Orders rest, twenty in each wallet. */
  total: number;
  expected: number;
  /** Of what the floor does. */
  goal: number;
}

const LOADS: ReadonlyArray<[name: string, load: Load]> = [
  ['GET /v1/price/{symbol}', { request: PRICE, total: 4_000, expected: 200, goal: 0.95 }],
  ['POST /v1/order', { request: ORDER, total: WALLETS * 20, expected: 201, goal: 0.9 }],
];

/**
 * Signed requests of the paper service against bare `node:http` that does what any signed JSON service must:
 * by the server's processor time, which other programs on the machine disturb less, and by wall time.
 */
export async function benchHttp(): Promise<ComparisonResult[]> {
  const bare = await startServer(new URL('./serveBare.ts', import.meta.url));
  const paper = await startServer(new URL('./servePaper.ts', import.meta.url));
  const onBare = new HttpLoad(bare.port, CONNECTIONS);
  const onPaper = new HttpLoad(paper.port, CONNECTIONS);
  await onBare.open();
  await onPaper.open();
  const keys = paper.info['keys'] as Credentials[];
  const results: ComparisonResult[] = [];
  for (const [name, load] of LOADS) {
    const to = (server: BenchServer, sockets: HttpLoad, prefix = ''): Contender['run'] =>
      measured(server, sockets, keys, { ...load, request: prefixed(load.request, prefix) });
    const contenders = [
      { name: 'bare, JSON and HMAC', run: to(bare, onBare, '/signed') },
      { name: 'paper service', run: to(paper, onPaper), goal: load.goal },
      { name: 'bare node:http', run: to(bare, onBare) },
    ] as const;
    results.push(
      ...(await compare({ name: `paper/http: ${name}`, contenders, rounds: 21, warmUps: 6 })),
    );
  }
  for (const each of [onBare, onPaper]) each.close();
  for (const each of [bare, paper]) each.stop();
  return results;
}

const prefixed = (request: PlainRequest, prefix: string): PlainRequest => ({
  ...request,
  path: prefix + request.path,
});

function measured(
  server: BenchServer,
  sockets: HttpLoad,
  keys: readonly Credentials[],
  { request, total, expected }: Load,
): () => Promise<Rates> {
  const requests = keys.map((key) => signedRequest(request, key));
  return async () => {
    const before = await cpuSeconds(server, 'measure');
    const seconds = await sockets.run(total, expected, requests);
    const cpu = (await cpuSeconds(server, 'measure')) - before;
    await cpuSeconds(server, 'cancelAll');
    return { 'requests/CPU-s': total / cpu, 'requests/s': total / seconds };
  };
}

async function cpuSeconds(server: BenchServer, order: string): Promise<number> {
  const { cpu } = (await server.ask({ do: order })) as { cpu: NodeJS.CpuUsage };
  return (cpu.user + cpu.system) / 1e6;
}
