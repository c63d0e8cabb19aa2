import { pause, type Env } from '../../env/index.ts';
import type { JournalReader } from '../../journal/index.ts';
import { dayOf, formatDay, isDay, readDay, type DayReport } from '../journal/index.ts';
import { sendJson, sendText, type RouteFault } from './answer.ts';
import type { RouteCall } from './Route.ts';

export interface ReportRouteOptions {
  name: string;
  env: Pick<Env, 'timers' | 'clock'>;
  read<T>(use: (reader: JournalReader) => Promise<T>): Promise<T>;
}

/** Between two pages of the journal: a large one must leave most of the thread to the bot. */
const REST_MS = 5;

/**
 * What `trimtab report BOT --day` says, from the journal alone: the P&L of the service is left out, because a reader
 * must not spend what the bot may send. One day is read at a time; who asks for the same gets the same.
 */
export function createReportRoute({ name, env, read }: ReportRouteOptions) {
  let last: Promise<unknown> = Promise.resolve();
  const underway = new Map<string, Promise<DayReport>>();

  const reportOf = (day: string): Promise<DayReport> => {
    const known = underway.get(day);
    if (known !== undefined) return known;
    const made = last.then(() =>
      read((reader) => readDay(reader, day, () => pause(env.timers, REST_MS))),
    );
    underway.set(day, made);
    last = made.catch(() => {}).finally(() => underway.delete(day));
    return made;
  };

  return async ({ request, response, query }: RouteCall): Promise<void | RouteFault> => {
    const today = dayOf(env.clock.wallNow());
    const [day = today, ...more] = query.getAll('day');
    if (more.length > 0 || !isDay(day)) return badDay(today);
    const report = await reportOf(day);
    if (wantsText(request.headers.accept))
      return sendText(response, { text: formatDay(name, report) });
    sendJson(response, { ...report, pnl: null });
  };
}

/** The refused text is not repeated: it may be anything. */
const badDay = (today: string): RouteFault => ({
  status: 400,
  code: 'invalid_request',
  message: `day is one day of UTC, such as /api/report?day=${today}; without it, today.`,
});

/** Whether a request names plain text before JSON. */
function wantsText(accept = ''): boolean {
  const types = accept.split(',').map((part) => part.split(';')[0]!.trim().toLowerCase());
  const first = types.find((type) => type === 'text/plain' || type === 'application/json');
  return first === 'text/plain';
}
