import type { IncomingMessage } from 'node:http';
import type { Dialect } from '../../contract/index.ts';
import type { Env } from '../../env/index.ts';
import type { PaperCore } from '../core/PaperCore.ts';
import type { RawResponse } from '../core/RawExchange.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { Faults, RequestPlan } from './createFaults.ts';
import type { PaperControls } from './createPaperControls.ts';
import type { Streams } from './createStreams.ts';
import { toRawRequest } from './serveHttp.ts';

/** The parts that all requests and sockets of one server share. */
export interface ServerParts {
  core: PaperCore;
  dialect: Dialect;
  env: Env;
  streams: Streams;
  controls: PaperControls;
  faults: Faults;
  /** When requests are carried out, and then answered: see `createTurnEnd`. */
  atTurnEnd: (run: () => void) => void;
}

/** The core's response, or the refusal by which a fault replaces it. */
export function answerTo(
  { core, env }: ServerParts,
  plan: RequestPlan,
  request: IncomingMessage,
  given: { text: string; tooLarge: boolean; upgrade: boolean; cameAt?: number },
): RawResponse {
  const wallTime = (given.cameAt ?? env.clock.wallNow()) + plan.skewMs;
  const raw = toRawRequest(request, { ...given, wallTime });
  return plan.refusal === null
    ? core.handleHttp(raw)
    : core.refuse(raw, new ServiceError(plan.refusal, { details: REFUSAL_DETAILS[plan.refusal] }));
}

const REFUSAL_DETAILS = {
  internal: {},
  venue_unavailable: { layer: 'orders' },
  rate_limited: { bucket_exceeded: 'key_minute', retry_after_seconds: 1 },
};

/** Path of a request's target, without its query. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?')[0] ?? '';
}
