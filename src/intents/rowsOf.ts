/** Rows of the wallet's twenty that a request may take (LEG-11, TRK-6), by what takes them. */
export interface RequestRows {
  /** Levels that it follows: price, trigger, limit or stop. */
  tracked: number;
  /** Trails among its legs. */
  trails: number;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** @param request an order or a launch, as sent or as a record repeats it; anything else takes none */
export function rowsOf(request: unknown): RequestRows {
  if (!isObject(request)) return { tracked: 0, trails: 0 };
  const { params, take_profit, stop_loss } = request;
  const tracked = countTracked(request) + (isObject(params) ? countTracked(params) : 0);
  return { tracked, trails: countTrail(take_profit) + countTrail(stop_loss) };
}

function countTracked(reads: Record<string, unknown>): number {
  let count = 0;
  for (const name in reads) {
    const read = reads[name];
    if (isObject(read) && read['track'] === true) count++;
  }
  return count;
}

const countTrail = (leg: unknown): number => (isObject(leg) && leg['trail'] != null ? 1 : 0);
