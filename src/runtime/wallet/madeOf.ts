import type { ExecutionRecord, MonitorRecord, OrderRecord } from '../../contract/index.ts';
import type { Emission } from '../../strategy/Emission.ts';
import { isEnded } from './AtWork.ts';

export type MadeRecord = OrderRecord | ExecutionRecord | MonitorRecord;

/** An order, an execution or a monitor that an accepted intent made, or changed. */
export interface Made {
  kind: 'order' | 'execution' | 'monitor';
  /** The id that the service assigned. */
  id: string;
  wallet: string;
  /** The instance whose intent made it. */
  instance: string;
  /** As in the answer; what the answer leaves out, as it was requested. */
  readonly record: MadeRecord;
  /** Of that record. */
  readonly status: string | undefined;
  /** The intent made it, and did not only change it. */
  isNew: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** What an intent made, from the record of its answer; empty if that names none. */
export function madeOf(
  { intent, wallet, instance }: Pick<Emission, 'intent' | 'wallet' | 'instance'>,
  answered: unknown,
): Made[] {
  const record = fieldsOf(answered);
  const one = (kind: Made['kind'], asked?: object): Made[] =>
    make({ kind, wallet, instance, asked }, record);
  switch (intent.kind) {
    case 'place_order':
      return one('order', intent.request);
    case 'launch':
      return one('execution', intent.request);
    case 'create_monitor':
      return one('monitor', intent.request);
    case 'close_position': {
      // At the market it is over with its answer; by an algorithm it runs on.
      const { symbol, request } = intent;
      if (request.algo === undefined) return [];
      return one('execution', { ...request, symbol, reduce_only: true });
    }
    case 'launch_basket': {
      const legs = Array.isArray(record['legs']) ? (record['legs'] as unknown[]) : [];
      return legs.flatMap((leg, at) =>
        make(
          { kind: 'execution', wallet, instance, asked: intent.request.legs?.[at] ?? {} },
          fieldsOf(leg),
        ),
      );
    }
    case 'modify_order':
    case 'cancel_order':
      return one('order');
    case 'control_execution':
      return one('execution');
    case 'pause_monitor':
    case 'stop_monitor':
      return one('monitor');
    default:
      return [];
  }
}

/** Assumed until the answer shows otherwise: that it works, and may add exposure. */
const ASSUMED: Readonly<Record<Made['kind'], Fields>> = {
  order: { status: 'open', reduce_only: false, filled_size: 0, order_type: 'limit' },
  execution: { status: 'running', reduce_only: false },
  monitor: { status: 'armed' },
};

function make(
  given: Pick<Made, 'kind' | 'wallet' | 'instance'> & { asked: object | undefined },
  record: Fields,
): Made[] {
  const { kind, wallet, instance, asked } = given;
  const id = record[ID_FIELDS[kind]];
  if (typeof id !== 'string') return [];
  const isNew = asked !== undefined;
  return [new Answered({ kind, id, wallet, instance, isNew }, { asked, record })];
}

const ID_FIELDS = { order: 'order_id', execution: 'execution_id', monitor: 'monitor_id' } as const;

/** Most orders are over with their answer, and nobody reads more of their record than that. */
class Answered implements Made {
  readonly kind: Made['kind'];
  readonly id: string;
  readonly wallet: string;
  readonly instance: string;
  readonly isNew: boolean;
  readonly #asked: Fields | undefined;
  readonly #answer: Fields;
  #record: MadeRecord | undefined;

  constructor(
    { kind, id, wallet, instance, isNew }: Omit<Made, 'record' | 'status'>,
    { asked, record }: { asked: object | undefined; record: Fields },
  ) {
    this.kind = kind;
    this.id = id;
    this.wallet = wallet;
    this.instance = instance;
    this.isNew = isNew;
    this.#asked = asked as Fields | undefined;
    this.#answer = record;
  }

  get status(): string | undefined {
    const reported = this.#answer['status'] as string | null | undefined;
    if (reported != null || !this.isNew) return reported ?? undefined;
    return (this.#asked?.['status'] ?? ASSUMED[this.kind]['status']) as string;
  }

  get record(): MadeRecord {
    return (this.#record ??= this.#build());
  }

  #build(): MadeRecord {
    const known = Object.entries(this.#answer).filter(([, value]) => value != null);
    const reported = Object.fromEntries(known);
    const whole = this.isNew ? { ...ASSUMED[this.kind], ...this.#asked, ...reported } : reported;
    return whole as unknown as MadeRecord;
  }
}

/** Whether it can no longer add exposure, as far as its record shows. */
export function isOver({ kind, status }: Pick<Made, 'kind' | 'status'>): boolean {
  return status !== undefined && isEnded(kind, status);
}
