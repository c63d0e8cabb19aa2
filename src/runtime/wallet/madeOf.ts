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
  record: MadeRecord;
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
  const order = (asked?: object) => make({ kind: 'order', wallet, instance, asked }, record);
  const execution = (asked?: object) =>
    make({ kind: 'execution', wallet, instance, asked }, record);
  const monitor = (asked?: object) => make({ kind: 'monitor', wallet, instance, asked }, record);
  switch (intent.kind) {
    case 'place_order':
      return order(intent.request);
    case 'launch':
      return execution(intent.request);
    case 'create_monitor':
      return monitor(intent.request);
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
      return order();
    case 'control_execution':
      return execution();
    case 'pause_monitor':
    case 'stop_monitor':
      return monitor();
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
  const id = record[`${kind}_id`];
  if (typeof id !== 'string') return [];
  const isNew = asked !== undefined;
  const reported = Object.fromEntries(Object.entries(record).filter(([, value]) => value != null));
  const whole = isNew ? { ...ASSUMED[kind], ...asked, ...reported } : reported;
  return [{ kind, id, wallet, instance, record: whole as unknown as MadeRecord, isNew }];
}

/** Whether it can no longer add exposure, as far as its record shows. */
export function isOver({ kind, record }: Pick<Made, 'kind' | 'record'>): boolean {
  return record.status !== undefined && isEnded(kind, record.status);
}
