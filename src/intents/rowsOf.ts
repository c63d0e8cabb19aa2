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
  const reads = [...Object.values(request), ...(isObject(params) ? Object.values(params) : [])];
  return {
    tracked: reads.filter((read) => isObject(read) && read['track'] === true).length,
    trails: [take_profit, stop_loss].filter((leg) => isObject(leg) && leg['trail'] != null).length,
  };
}
