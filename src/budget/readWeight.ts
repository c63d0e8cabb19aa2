import type { Dialect, EndpointId } from '../contract/index.ts';

/** Rate-budget weight of a read by the dialect's table: a list weighs more with a range of time (conventions §2). */
export function readWeight(
  { endpoints }: Pick<Dialect, 'endpoints'>,
  { endpoint, query = {} }: { endpoint: EndpointId; query?: Readonly<Record<string, unknown>> },
): number {
  const { weight, weightWithRange = weight } = endpoints[endpoint];
  const hasRange = query['start_time'] !== undefined || query['end_time'] !== undefined;
  return hasRange ? weightWithRange : weight;
}
