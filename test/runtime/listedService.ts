import type { Exchange, ServiceRequest } from '../../src/contract/index.ts';

/** Rows of a list, as the service has them for a wallet and a query, in the service's order. */
export type Rows = (request: {
  endpoint: string;
  wallet: string | undefined;
  query: Readonly<Record<string, unknown>>;
}) => readonly unknown[];

export interface ListedService {
  request(request: ServiceRequest): Promise<Exchange>;
  /** Requests so far. */
  asked: ServiceRequest[];
}

/**
 * A service that has lists only and gives them page by page: never more than its largest page, whatever is asked for,
 * and a cursor that only it understands.
 *
 * @param trouble an answer in place of the page, by the number of the request; undefined where it answers
 */
export function createListedService(
  rows: Rows,
  pageMax: number,
  trouble: (request: number) => Exchange | undefined = () => undefined,
): ListedService {
  const asked: ServiceRequest[] = [];
  return {
    asked,
    request(request) {
      const { endpoint, wallet } = request;
      const query: Readonly<Record<string, unknown>> = request.query;
      const failed = trouble(asked.push(request) - 1);
      if (failed !== undefined) return Promise.resolve(failed);
      const all = rows({ endpoint, wallet, query });
      const from = query['cursor'] === undefined ? 0 : Number(String(query['cursor']).slice(4));
      const size = Math.min(Number(query['limit'] ?? pageMax), pageMax);
      const items = all.slice(from, from + size);
      const next_cursor = from + size < all.length ? `row ${from + size}` : null;
      const response = { status: 200, headers: {}, body: { items, next_cursor } };
      return Promise.resolve({ kind: 'answered', response });
    },
  };
}

/** No row, one, a whole page, one more, several pages, and a page that is not full. */
export const countsOf = (pageMax: number): readonly number[] => [
  0,
  1,
  pageMax - 1,
  pageMax,
  pageMax + 1,
  2 * pageMax,
  3 * pageMax,
  3 * pageMax + 1,
];
