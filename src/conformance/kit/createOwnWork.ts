import { ENDED_ORDERS, isMonitorOver, type EndpointId } from '../../contract/index.ts';
import { readRefusal } from '../../contract/errorEnvelope.ts';
import type { Json } from './Answer.ts';

/** The client whose requests are noted. */
interface Caller {
  call(endpoint: EndpointId, asked: { params: { id: string } }): Promise<unknown>;
}

/** A request of the run's own key, and what came of it. */
export interface Dealt {
  endpoint: EndpointId;
  /** As it was sent. */
  body: string;
  /** Null: it was sent, and no answer came. */
  answer: { status: number; body: Json } | null;
}

/**
 * What a run's own key has at work on a service. A check ends at its first deviation, and a service that differs may
 * take what it should refuse: what came of it is real, and is ended here. Nothing else on the account is touched.
 */
export interface OwnWork {
  note(dealt: Dealt): void;
  /** Ends what is at work; what could not be ended is tried again by the next call. */
  end(actor: Caller): Promise<void>;
  /** What is left by now, a line each: at work, filled, or sent without an answer. */
  left(): string[];
}

interface Kind {
  id: string;
  stop: EndpointId;
  read: EndpointId;
  isOver(record: Json): boolean;
}

const isOverExecution = ({ status }: Json): boolean =>
  status === 'completed' || status === 'stopped';

/** By the family of an endpoint. */
const KINDS: Readonly<Record<string, Kind>> = {
  orders: {
    id: 'order_id',
    stop: 'orders.cancel',
    read: 'orders.get',
    isOver: ({ status }) => ENDED_ORDERS.includes(status),
  },
  executions: {
    id: 'execution_id',
    stop: 'executions.stop',
    read: 'executions.get',
    isOver: isOverExecution,
  },
  baskets: {
    id: 'basket_id',
    stop: 'baskets.stop',
    read: 'baskets.get',
    isOver: isOverExecution,
  },
  monitors: {
    id: 'monitor_id',
    stop: 'monitors.stop',
    read: 'monitors.get',
    isOver: isMonitorOver,
  },
};

const MAKERS: readonly EndpointId[] = [
  'orders.place',
  'executions.launch',
  'baskets.launch',
  'monitors.create',
];

interface Work {
  family: string;
  id: string;
  record: Json;
}

/** Characters of a request that are shown. */
const SHOWN = 300;

export function createOwnWork(): OwnWork {
  const works = new Map<string, Work>();
  /** What can't be ended any more: fills, and requests whose outcome is not known. */
  const final = new Set<string>();

  const put = (family: string, record: Json): void => {
    const { id: field } = KINDS[family]!;
    const id: unknown = record?.[field];
    if (typeof id === 'string') works.set(`${family} ${id}`, { family, id, record });
  };
  const isOver = ({ family, record }: Work): boolean => KINDS[family]!.isOver(record);
  const isKnown = (family: string, record: Json): boolean =>
    works.has(`${family} ${record?.[KINDS[family]!.id]}`);

  const noteMade = ({ endpoint, body: sent }: Dealt, family: string, record: Json): void => {
    if (typeof record?.[KINDS[family]!.id] !== 'string') {
      final.add(
        `${endpoint} was accepted without an id, and may be at work: ${sent.slice(0, SHOWN)}`,
      );
      return;
    }
    put(family, record);
    // What a basket launches is found by its own id, should the basket not end it.
    if (family === 'baskets' && Array.isArray(record.legs))
      for (const leg of record.legs) if (!isKnown('executions', leg)) put('executions', leg);
  };

  const endOne = async (work: Work, actor: Caller): Promise<void> => {
    const { family, id } = work;
    const { stop, read } = KINDS[family]!;
    const current = (): Work => works.get(`${family} ${id}`) ?? work;
    for (const endpoint of [stop, read]) {
      // A check may have ended it itself.
      if (isOver(current())) break;
      // The answer is noted where every answer of the key is; without one, it is as it was.
      await actor.call(endpoint, { params: { id } }).catch(() => null);
    }
    if (!isOver(current())) return;
    works.delete(`${family} ${id}`);
    const done = doneOf(current());
    if (done !== undefined) final.add(done);
  };

  return {
    note(dealt) {
      const { endpoint, body: sent, answer } = dealt;
      const [family = ''] = endpoint.split('.');
      if (KINDS[family] === undefined) return;
      const isMaker = MAKERS.includes(endpoint);
      if (answer !== null && answer.status >= 200 && answer.status < 300) {
        if (isMaker) noteMade(dealt, family, answer.body);
        else if (isKnown(family, answer.body)) put(family, answer.body);
        return;
      }
      // Neither silence nor a fault of the service or of what stands before it is a refusal.
      const isRefused =
        answer !== null && readRefusal(answer.status, answer.body).kind === 'refused';
      if (!isMaker || isRefused) return;
      const what = answer === null ? 'not answered' : `answered with ${answer.status}`;
      final.add(`${endpoint} was ${what}, and may be at work: ${sent.slice(0, SHOWN)}`);
    },
    async end(actor) {
      for (const work of works.values()) await endOne(work, actor);
    },
    left: () => [...[...works.values()].map(leftOf), ...final],
  };
}

const nameOf = ({ family, id }: Work): string => `${family.slice(0, -1)} ${id}`;

function leftOf(work: Work): string {
  const { status } = work.record;
  const last = status === undefined ? '' : `, ${String(status)} when last seen`;
  return `${nameOf(work)}${last}, could not be ended`;
}

/** What it did before it ended; it is not undone, since the account may hold more of the same. */
function doneOf(work: Work): string | undefined {
  const { filled_size: filled, fired_count: fired, side, symbol } = work.record;
  if (Number(filled) > 0)
    return `${nameOf(work)} filled: ${String(side)} ${Number(filled)} ${String(symbol)}, which the account holds`;
  if (Number(fired) > 0) return `${nameOf(work)} fired, and what it placed is not ended`;
  return undefined;
}
