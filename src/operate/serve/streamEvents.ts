import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cancel, Env } from '../../env/index.ts';
import type { BotState, ViewChange, WholeView } from '../state/index.ts';
import { beginStream, sendFault } from './answer.ts';

/** Lines that a reader gets to begin with. */
export const SHOWN_EVENTS = 200;
const COMMENT_MS = 15_000;
/** A heartbeat shows a reader that the bot's main loop runs although nothing changes. */
const BEAT_MS = 1_000;
/** More than this waiting for a reader means that it has stalled; it is let go, and may come again. */
const MOST_WAITING = 2 ** 20;
const MOST_READERS = 16;

export interface EventStreams {
  open(request: IncomingMessage, response: ServerResponse): void;
  close(): void;
}

export interface EventStreamsOptions {
  env: Pick<Env, 'timers' | 'clock'>;
  /** Market time, epoch milliseconds. */
  now(): number;
  /** Whether the server takes commands. */
  control: boolean;
}

/**
 * Server-sent events: `view` with the whole view, then a `change` with each change of it, whose id is its sequence;
 * `Last-Event-ID` resumes where a reader was, as far back as changes are known. `beat` carries the
 * times.
 */
export function createEventStreams(
  state: BotState,
  { env, now, control }: EventStreamsOptions,
): EventStreams {
  const readers = new Set<() => void>();

  function serve(response: ServerResponse, after: number | undefined): void {
    let beatAt = env.clock.monotonicNow();
    let isOver = false;
    /** What it began with may be long, and is no sign of a stall. */
    let mostWaiting = Infinity;
    const cancels: Cancel[] = [];
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      readers.delete(end);
      for (const cancel of cancels.splice(0)) cancel();
      response.destroy();
    };
    const write = (text: string): void => {
      if (isOver) return;
      response.write(text);
      if (response.writableLength > mostWaiting) end();
    };
    const send = (name: string, data: unknown, id?: number): void =>
      write(
        `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`,
      );
    const sendChange = (change: ViewChange): void => send('change', change, change.sequence);
    const comment = (): void => {
      write(': \n\n');
      cancels[0] = env.timers.after(COMMENT_MS, comment);
    };

    readers.add(end);
    response.on('close', end);
    response.on('error', end);
    cancels.push(env.timers.after(COMMENT_MS, comment));
    const missed = after === undefined ? undefined : state.since(after);
    if (missed === undefined) {
      const view = wholeView(state, control);
      send('view', view, view.sequence);
    } else missed.forEach(sendChange);
    mostWaiting = response.writableLength + MOST_WAITING;
    cancels.push(
      state.listen((change) => {
        if (change !== null) return sendChange(change);
        const at = env.clock.monotonicNow();
        if (at - beatAt < BEAT_MS) return;
        beatAt = at;
        send('beat', { time: now(), wall_time: env.clock.wallNow() });
      }),
    );
  }

  return {
    open(request, response) {
      if (readers.size >= MOST_READERS) {
        const message = `${MOST_READERS} readers follow the events already; close one.`;
        return sendFault(response, { status: 503, code: 'too_many_readers', message });
      }
      beginStream(response);
      const given = request.headers['last-event-id'];
      serve(
        response,
        typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : undefined,
      );
    },
    close() {
      for (const end of readers) end();
    },
  };
}

export function wholeView(state: BotState, control: boolean): WholeView {
  return { ...state.view(), control, events: state.events(SHOWN_EVENTS) };
}
