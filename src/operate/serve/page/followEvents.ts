// Follows the bot's events, and comes again after each loss.
import type { ViewChange, WholeView } from '../../state/BotView.ts';
import { applyChange } from './applyChange.ts';
import type { BrowserPorts } from './browserPorts.ts';
import { readMessages, type ServerMessage } from './readMessages.ts';

/** What the page knows of its connection to the bot. */
export type LinkState =
  | { kind: 'open' }
  /** Nothing was heard since then; `reason` as the browser or the server gave it. */
  | { kind: 'silent'; since: number; reason: string }
  /** The server wants a token, or another one. */
  | { kind: 'unauthorized'; message: string; isWrong: boolean };

export interface EventsOptions {
  ports: BrowserPorts;
  /** Null: none is known. */
  token(): string | null;
  onView(view: WholeView): void;
  /** A sign of life without a change, with the bot's own times. */
  onBeat(times: { time: number; wall_time: number }): void;
  onLink(state: LinkState): void;
}

/** The bot sends a beat a second; without any for so long, it does not answer. */
export const SILENT_MS = 4_000;
const LOOK_MS = 250;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** Any other 429 is over by itself, and a token would change nothing of it. */
const WRONG_TOKENS = 'too_many_wrong_tokens';

/** Begins at once; `again` begins anew, such as with another token. */
export function followEvents(options: EventsOptions): { again(): void } {
  const { ports } = options;
  let view: WholeView | undefined;
  let heardAt = ports.now();
  let pauseMs = FIRST_PAUSE_MS;
  let attempt: AbortController | undefined;
  let cancelPause = (): void => {};
  let isOpen = false;

  const silence = (reason: string): void => {
    isOpen = false;
    options.onLink({ kind: 'silent', since: heardAt, reason });
  };
  const hear = (): void => {
    heardAt = ports.now();
    pauseMs = FIRST_PAUSE_MS;
    if (isOpen) return;
    isOpen = true;
    options.onLink({ kind: 'open' });
  };

  function take(message: ServerMessage | null): void {
    if (message === null) return hear();
    const data: unknown = JSON.parse(message.data);
    if (message.event === 'beat') {
      options.onBeat(data as { time: number; wall_time: number });
    } else {
      const isWhole = message.event === 'view';
      const next = isWhole
        ? (data as WholeView)
        : view === undefined
          ? undefined
          : applyChange(view, data as ViewChange);
      view = next;
      if (next === undefined) throw new Error('a change is missing');
      options.onView(next);
    }
    hear();
  }

  async function connect(controller: AbortController): Promise<void> {
    const token = options.token();
    const response = await fetch('/api/events', {
      signal: controller.signal,
      cache: 'no-store',
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(view === undefined ? {} : { 'last-event-id': String(view.sequence) }),
      },
    });
    if (response.ok && response.body !== null) {
      await readMessages(response.body, take);
      throw new Error('the bot has closed the connection');
    }
    const { code, message } = await faultOf(response);
    // Another attempt has begun meanwhile, such as with another token.
    if (attempt !== controller) return;
    if (response.status === 401 || (code === WRONG_TOKENS && view === undefined)) {
      attempt = undefined;
      isOpen = false;
      options.onLink({ kind: 'unauthorized', message, isWrong: token !== null });
      return;
    }
    throw new Error(message);
  }

  function begin(): void {
    cancelPause();
    const controller = new AbortController();
    attempt = controller;
    const startedAt = ports.now();
    const look = (): void => {
      if (attempt !== controller) return;
      if (ports.now() - Math.max(startedAt, heardAt) >= SILENT_MS)
        return controller.abort(new Error('nothing came for 4 s'));
      ports.after(LOOK_MS, look);
    };
    look();
    connect(controller).catch((error: unknown) => {
      if (attempt !== controller) return;
      controller.abort();
      silence(reasonOf(error));
      cancelPause = ports.after(pauseMs, begin);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    });
  }

  const again = (): void => {
    attempt?.abort();
    view = undefined;
    pauseMs = FIRST_PAUSE_MS;
    begin();
  };
  begin();
  return { again };
}

/** A browser's own words for a broken connection differ, and say nothing more. */
function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return 'the bot is not reached';
  return error instanceof Error ? error.message : String(error);
}

/** The server's own sentence for a refusal. */
export const messageOf = async (response: Response): Promise<string> =>
  (await faultOf(response)).message;

async function faultOf(response: Response): Promise<{ code?: string; message: string }> {
  try {
    const { error } = (await response.json()) as { error?: { code?: string; message?: string } };
    if (typeof error?.message === 'string') return { ...error, message: error.message };
  } catch {
    // Something else than the bot has answered, such as a proxy.
  }
  return { message: `The server answered ${response.status}.` };
}
