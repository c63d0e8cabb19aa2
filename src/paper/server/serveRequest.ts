import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RawResponse, StreamGrant } from '../core/RawExchange.ts';
import { createSseConnection } from './createSseConnection.ts';
import { readBody, type ReadBody } from './readBody.ts';
import { isLoopback } from '../../contract/index.ts';
import {
  isForeignPage,
  isRebound,
  reboundRefusal,
  truncateResponse,
  writeResponse,
} from './serveHttp.ts';
import type { RequestPlan } from './createFaults.ts';
import { answerTo, pathOf, type ServerParts } from './ServerParts.ts';

/**
 * One HTTP request: a control, a call of the service, or the start of an SSE stream. All requests of one
 * turn of the event loop are read first, then carried out in order, then answered.
 */
export function serveRequest(
  parts: ServerParts,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  readBody(request, parts.dialect.limits.bodyBytes, (body) =>
    parts.atTurnEnd(() => carryOut(parts, { request, response, body })),
  );
}

/** A request that was read to its end. */
interface Arrived {
  request: IncomingMessage;
  response: ServerResponse;
  body: ReadBody;
}

function carryOut(parts: ServerParts, { request, response, body }: Arrived): void {
  const { env } = parts;
  const path = pathOf(request);
  if (isRebound(request)) return writeResponse(response, reboundRefusal(parts));
  if (path === '/paper' || path.startsWith('/paper/')) {
    void control(parts, request, response, { path, bodyText: body.text });
    return;
  }
  const plan = parts.faults.planRequest(request.method ?? '', path);
  if (plan.drop === 'before') {
    request.socket.destroy();
    return;
  }
  const { method = '', url = '' } = request;
  // Its signature is checked against its arrival time, regardless of its latency.
  const given = { ...body, upgrade: false, cameAt: env.clock.wallNow() };
  parts.core.holdHttp(method, url, () => respond(parts, plan, { request, response }, given));
}

type Given = Parameters<typeof answerTo>[3];

function respond(
  parts: ServerParts,
  plan: RequestPlan,
  { request, response }: Pick<Arrived, 'request' | 'response'>,
  given: Given,
): void {
  const { env } = parts;
  const answer = answerTo(parts, plan, request, given);
  const deliver = (): void => {
    if (plan.drop === 'after') request.socket.destroy();
    else if (answer.grant?.kind === 'sse') {
      openSse(parts, response, answer, { grant: answer.grant, skewMs: plan.skewMs });
    } else if (plan.truncate) truncateResponse(response, answer);
    else writeResponse(response, answer);
  };
  const guarded = (): void => {
    try {
      deliver();
    } catch (error) {
      // A response that can't be written must not affect the others.
      env.log.error('An answer could not be written', {
        path: pathOf(request),
        error: String(error),
      });
      request.socket.destroy();
    }
  };
  if (plan.latencyMs > 0) env.timers.after(plan.latencyMs, guarded);
  else parts.atTurnEnd(guarded);
}

async function control(
  { controls }: ServerParts,
  request: IncomingMessage,
  response: ServerResponse,
  given: { path: string; bodyText: string },
): Promise<void> {
  const fromLoopback = isLoopback(request.socket.remoteAddress) && !isForeignPage(request);
  const { status, body } = await controls({
    ...given,
    method: request.method ?? '',
    fromLoopback,
  });
  const headers = { 'content-type': 'application/json' };
  writeResponse(response, { status, headers, bodyText: JSON.stringify(body) });
}

function openSse(
  { streams, dialect, env }: ServerParts,
  response: ServerResponse,
  answer: RawResponse,
  { grant, skewMs }: { grant: StreamGrant; skewMs: number },
): void {
  response.writeHead(200, {
    ...answer.headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
  });
  const now = env.clock.monotonicNow();
  const connection = createSseConnection({ response, grant, limits: dialect.stream, now });
  response.on('close', () => streams.drop(connection));
  response.on('error', () => streams.drop(connection));
  if (streams.open(connection, env.clock.wallNow() + skewMs) === undefined) connection.cut();
}
