import { withoutSecrets, type Log, type LogFields } from '../../env/index.ts';
import type { EventRow } from './BotView.ts';
import { createRing } from './createRing.ts';

/** The newest lines about a bot, in the words of its log. */
export interface EventList {
  /** What is logged here becomes an event; lines of level debug are left out. */
  log: Log;
  /** Events after a sequence, oldest first. */
  after(sequence: number): EventRow[];
  newest(limit: number): EventRow[];
}

export interface EventListOptions {
  /** Market time and wall time, epoch milliseconds. */
  now(): number;
  wallNow(): number;
  /** The sequence of the change that will bring the event. */
  sequence(): number;
}

/** Beyond this many, the oldest are dropped; the journal holds what happened. */
const MOST_EVENTS = 500;

export function createEventList({ now, wallNow, sequence }: EventListOptions): EventList {
  const ring = createRing<EventRow>(MOST_EVENTS);
  const add = (level: EventRow['level'], text: string, about: LogFields): void => {
    const { key, ...rest } = about;
    const known = Object.entries(rest).flatMap(([name, value]) =>
      value === undefined || value === null
        ? []
        : [[name, typeof value === 'string' ? withoutSecrets(value) : value]],
    );
    ring.add({
      sequence: sequence(),
      time: now(),
      wall_time: wallNow(),
      level,
      text: withoutSecrets(text),
      ...(typeof key === 'string' ? { key } : {}),
      fields: Object.fromEntries(known) as EventRow['fields'],
    });
  };
  const logWith = (base: LogFields): Log => ({
    debug: () => {},
    info: (text, fields) => add('info', text, { ...base, ...fields }),
    warn: (text, fields) => add('warn', text, { ...base, ...fields }),
    error: (text, fields) => add('error', text, { ...base, ...fields }),
    with: (fields) => logWith({ ...base, ...fields }),
  });
  return {
    log: logWith({}),
    after: (after) => ring.list().filter((event) => event.sequence > after),
    newest: (limit) => ring.list().slice(-limit),
  };
}
