import type { RawRequest, RawResponse } from '../../src/paper/index.ts';
import type { TransportRequest } from '../../src/wire/createTransport.ts';
import type { ExchangePlan } from './createFaultPlan.ts';
import type { InvariantChecker } from './createInvariantChecker.ts';
import { renameIn } from './createLateFrames.ts';
import type { SimService } from './createSimService.ts';
import type { Simulation } from './Simulation.ts';
import { endpointOf } from './weightOf.ts';

export interface DoorParts {
  sim: Simulation;
  service: SimService;
  checker: Pick<InvariantChecker, 'served'>;
}

/** What answers a request on its arrival: the service, in time or late, or a gateway for it. */
export type Door = (message: TransportRequest, raw: RawRequest, plan: ExchangePlan) => RawResponse;

const AGAIN_MS = 1_000;

export function createDoor({ sim, service, checker }: DoorParts): Door {
  const header = service.dialect.headers.wallet.toLowerCase();
  const pastOf = ({ headers }: RawRequest) => service.past(headers[header] ?? 'main');
  const ago = (ms: number): number => sim.queue.now() - ms;

  function handle(message: TransportRequest, raw: RawRequest): RawResponse {
    const response = service.handle(raw);
    checker.served(message, response);
    return response;
  }

  /** Done later, as by a queue behind the answer; a refusal of the budget is not the end of a promise. */
  function handleLater(message: TransportRequest, raw: RawRequest, delayMs: number): void {
    sim.after(delayMs, () => {
      const response = service.isUp() ? service.handle(raw) : undefined;
      if (response === undefined || response.status === 429) {
        return handleLater(message, raw, AGAIN_MS);
      }
      checker.served(message, response);
    });
  }

  /** A gateway waits no longer; what the service was doing by then is done, or lost with it. */
  function giveUp(message: TransportRequest, raw: RawRequest, delayMs: number): RawResponse {
    sim.after(delayMs, () => {
      if (!service.isUp()) return;
      handle(message, raw);
      service.answered(raw);
    });
    return pageOf(504);
  }

  /** The answer of a cancel that takes effect later; undefined if there is nothing to cancel. */
  function promiseCancel(
    message: TransportRequest,
    raw: RawRequest,
    delayMs: number,
  ): RawResponse | undefined {
    const name = targetOf(message);
    const order = [...service.truth.openOrders.values()].find(
      ({ order_id: id, client_order_id: clientId }) =>
        id === name || (clientId != null && `client:${clientId}` === name),
    );
    if (order === undefined) return undefined;
    handleLater(message, raw, delayMs);
    return service.success(raw, {
      ...order,
      status: 'cancelled',
      updated_time: service.core.engine.now,
    });
  }

  function write(
    message: TransportRequest,
    raw: RawRequest,
    { lateWriteMs, lateCancelMs, unseenMs }: ExchangePlan,
  ): RawResponse {
    if (unseenMs !== null && pastOf(raw).isNewer(targetOf(message), ago(unseenMs))) {
      return service.refusal(404, raw);
    }
    if (lateWriteMs !== null) return giveUp(message, raw, lateWriteMs);
    const isCancel =
      endpointOf(service.dialect, message.method, pathOf(message)) === 'orders.cancel';
    const promised =
      isCancel && lateCancelMs !== null ? promiseCancel(message, raw, lateCancelMs) : undefined;
    return promised ?? handle(message, raw);
  }

  /** A read, as of a while ago if reads lag. */
  function show(message: TransportRequest, raw: RawRequest, plan: ExchangePlan): RawResponse {
    const response = handle(message, raw);
    const lagMs = plan.lagMs ?? plan.listLagMs;
    const endpoint = endpointOf(service.dialect, message.method, pathOf(message));
    if (lagMs === null || endpoint === undefined || response.status !== 200) return response;
    const query = new URLSearchParams(message.path.split('?')[1] ?? '');
    const read = { endpoint, body: JSON.parse(response.bodyText) as unknown, query };
    const body = pastOf(raw).bodyAt(read, ago(lagMs), plan.lagMs === null ? 'newest' : 'all');
    if (body === undefined) return service.refusal(404, raw);
    return { ...response, bodyText: JSON.stringify(body) };
  }

  return (message, raw, plan) => {
    const isRead = message.method === 'GET';
    const response = isRead ? show(message, raw, plan) : write(message, raw, plan);
    if (plan.gateway !== null) return pageOf(plan.gateway);
    return plan.isRenamed && response.status < 300 ? withNames(response) : response;
  };
}

const pathOf = ({ path }: TransportRequest): string => path.split('?')[0]!;

/** The id in a path of the form `/v1/noun/id` or `/v1/noun/id/action`. */
const targetOf = (message: TransportRequest): string =>
  decodeURIComponent(pathOf(message).split('/')[3] ?? '');

/** A gateway's page has no envelope, and no date of the service. */
function pageOf(status: number): RawResponse {
  const headers = { 'content-type': 'text/html' };
  return { status, headers, bodyText: `<html><h1>${status} from the gateway</h1></html>` };
}

function withNames(response: RawResponse): RawResponse {
  return { ...response, bodyText: JSON.stringify(renameIn(JSON.parse(response.bodyText))) };
}
