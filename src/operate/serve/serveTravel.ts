import type { Env } from '../../env/index.ts';
import type { Travel } from '../travel/index.ts';
import { notFound, sendJson, type RouteFault } from './answer.ts';
import { createAdmission } from './createAdmission.ts';
import { addressOf, closeServer, createRouteServer, listen } from './createRouteServer.ts';
import { explained } from './explained.ts';
import { pageRoutes } from './pageRoutes.ts';
import { invalid } from './readRoutes.ts';
import type { Route, RouteCall } from './Route.ts';

export interface TravelServer {
  /** For a browser of this machine. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * The operator's page of a bot as it was, on loopback: everything is read, nothing is controlled.
 *
 * @param port 0 takes a free one
 * @throws Error with the system's code if the port can't be taken
 */
export async function serveTravel(
  travel: Travel,
  { env, port }: { env: Env; port: number },
): Promise<TravelServer> {
  const at = { host: '127.0.0.1', port };
  const loopbackOnly = { readToken: null, controlToken: null, hosts: [], listen: at, notify: null };
  const admission = createAdmission(
    loopbackOnly as unknown as Parameters<typeof createAdmission>[0],
    () => env.clock.monotonicNow(),
  );
  const server = createRouteServer({
    routes: [...pageRoutes('past'), ...travelRoutes(travel)],
    admission,
    env,
  });
  await listen(server, at);
  return { address: addressOf(server, at), close: () => closeServer(server) };
}

function travelRoutes(travel: Travel): Route[] {
  const get = (path: string, handle: Route['handle']): Route => ({
    method: 'GET',
    path,
    access: 'read',
    handle,
  });
  return [
    get('/api/travel', ({ response }) => sendJson(response, travel.about)),
    get('/api/state', (call) =>
      withTime(call, (time) =>
        sendJson(call.response, { ...travel.around(time), view: travel.at(time) }),
      ),
    ),
    get('/api/candles', (call) => withTime(call, (time) => answerCandles(call, travel, time))),
    get('/api/intents/:key', async ({ params, response }) => {
      const life = await travel.life(params['key']!);
      return typeof life === 'string' ? notFound(life) : sendJson(response, explained(life));
    }),
  ];
}

function withTime(
  { query }: RouteCall,
  answer: (time: number) => void | RouteFault,
): void | RouteFault {
  const given = query.get('at') ?? '';
  // Twelve digits and more: years that a calendar has.
  if (!/^\d{1,14}$/.test(given)) return invalid('at is a time in epoch milliseconds.');
  return answer(Number(given));
}

function answerCandles(
  { query, response }: RouteCall,
  travel: Travel,
  time: number,
): void | RouteFault {
  const symbol = query.get('symbol');
  if (symbol === null) return invalid('symbol is missing.');
  const candles = travel.candles(symbol, time);
  if (candles === undefined) return notFound('There are no candles of this symbol.');
  sendJson(response, candles);
}
