import type { EndpointId, StreamFrame } from '../../src/contract/index.ts';

/** The service's records as they were, each version from the moment at which a listener without faults saw it. */
export interface Past {
  take(frame: StreamFrame): void;
  /**
   * The body of a read as it was at a time.
   *
   * @param only `newest`: a list lacks what was made since, and is current otherwise
   * @returns undefined where the one record that was asked for did not exist yet
   */
  bodyAt(read: PastRead, time: number, only: 'all' | 'newest'): unknown;
  /** Whether the record of an id, its own or `client:` and its client's, was made after a time. */
  isNewer(id: string, time: number): boolean;
}

export interface PastRead {
  endpoint: EndpointId;
  /** The current answer. */
  body: unknown;
  query: URLSearchParams;
}

type Fields = Readonly<Record<string, unknown>>;
type Version = { at: number; record: Fields };

/** Each noun: its id, its client's, and what a list shows of it. */
const NOUNS = {
  orders: {
    id: 'order_id',
    clientId: 'client_order_id',
    isListed: ({ status }: Fields) => status === 'open' || status === 'partially_filled',
  },
  executions: { id: 'execution_id', clientId: 'client_execution_id', isListed: () => true },
  monitors: { id: 'monitor_id', clientId: '', isListed: () => true },
  positions: { id: 'symbol', clientId: '', isListed: ({ size }: Fields) => size !== 0 },
  fills: { id: 'fill_id', clientId: '', isListed: () => true },
} as const;
type Noun = keyof typeof NOUNS;

/** Events of the wallet's channel, by what they tell of. */
const OF_EVENT: Readonly<Record<string, Noun>> = {
  order: 'orders',
  position: 'positions',
  fill: 'fills',
};

const LISTS: Partial<Record<EndpointId, Noun>> = {
  'orders.list': 'orders',
  'orders.fills': 'fills',
  'executions.list': 'executions',
  'monitors.list': 'monitors',
  'positions.list': 'positions',
};
const RECORDS: Partial<Record<EndpointId, Noun>> = {
  'orders.get': 'orders',
  'executions.get': 'executions',
  'monitors.get': 'monitors',
};

const nounOf = ({ channel, event }: StreamFrame): Noun | undefined => {
  if (channel === 'executions' || channel === 'monitors') return channel;
  return channel === 'account.state' ? OF_EVENT[event] : undefined;
};

export function createPast(now: () => number): Past {
  const versions = new Map<Noun, Map<string, Version[]>>();
  const idOfClient = new Map<string, string>();

  const ofNoun = (noun: Noun): Map<string, Version[]> => {
    const known = versions.get(noun) ?? new Map<string, Version[]>();
    versions.set(noun, known);
    return known;
  };
  const at = (all: readonly Version[], time: number): Fields | undefined =>
    all.findLast((one) => one.at <= time)?.record;

  /** What the list held then, in the order of the present one; the ended first, as it lacks them now. */
  function listAt(noun: Noun, { body, query }: PastRead, time: number): unknown {
    const { items, next_cursor } = body as { items: Fields[]; next_cursor: string | null };
    const { id, isListed } = NOUNS[noun];
    const all = ofNoun(noun);
    const isAsked = (record: Fields): boolean =>
      isListed(record) && (!query.has('status') || query.get('status') === record['status']);
    const listed = new Set(items.map((item) => String(item[id])));
    // A page after the first has what is left, and the ended are shown once.
    const isWhole = next_cursor === null && !query.has('cursor') && !query.has('start_time');
    const gone = isWhole ? [...all.keys()].filter((one) => !listed.has(one)) : [];
    const shown = [...gone, ...listed]
      .map((one) => at(all.get(one) ?? [], time))
      .filter((record) => record !== undefined && isAsked(record));
    return { ...(body as object), items: shown };
  }

  function withoutNewest(noun: Noun, body: unknown, time: number): unknown {
    const { items } = body as { items: Fields[] };
    const { id } = NOUNS[noun];
    const isOld = (item: Fields): boolean =>
      at(ofNoun(noun).get(String(item[id])) ?? [], time) !== undefined;
    return { ...(body as object), items: items.filter(isOld) };
  }

  return {
    take(frame) {
      const noun = nounOf(frame);
      if (noun === undefined || frame.event === 'snapshot') return;
      const record = frame.data as Fields;
      const { id, clientId } = NOUNS[noun];
      const name = String(record[id]);
      const all = ofNoun(noun).get(name) ?? [];
      ofNoun(noun).set(name, all);
      all.push({ at: now(), record: { ...record } });
      if (record[clientId] != null) idOfClient.set(`client:${String(record[clientId])}`, name);
    },
    bodyAt(read, time, only) {
      const { endpoint, body } = read;
      const listed = LISTS[endpoint];
      if (listed !== undefined) {
        return only === 'all' ? listAt(listed, read, time) : withoutNewest(listed, body, time);
      }
      const one = RECORDS[endpoint];
      if (one === undefined || only === 'newest') return body;
      const name = String((body as Fields)[NOUNS[one].id]);
      const then = at(ofNoun(one).get(name) ?? [], time);
      return then === undefined ? undefined : { ...(body as object), ...then };
    },
    isNewer(id, time) {
      const name = idOfClient.get(id) ?? id;
      for (const all of versions.values()) {
        const [first] = all.get(name) ?? [];
        if (first !== undefined) return first.at > time;
      }
      return false;
    },
  };
}
