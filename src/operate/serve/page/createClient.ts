// Requests for what the stream of events does not carry.
import type { BrowserPorts } from './browserPorts.ts';
import { messageOf } from './followEvents.ts';

export type Answered<Value> =
  { ok: true; value: Value } | { ok: false; status: number; message: string };

export interface Client {
  get<Value>(path: string): Promise<Answered<Value>>;
  getText(path: string): Promise<Answered<string>>;
  post<Value>(path: string, body: unknown, token: string): Promise<Answered<Value>>;
}

/** Longer than the bot takes to carry out a command, to confirm it and to answer: what comes later is lost on its way. */
export const COMMAND_MS = 60_000;
const LATE =
  'The bot has not answered within a minute, and may have carried it out or still do so. What the page shows of it is current.';

/** @param token that of a reader; null if none is known */
export function createClient(
  token: () => string | null,
  ports: Pick<BrowserPorts, 'after'>,
): Client {
  async function ask<Value>(
    path: string,
    init: RequestInit,
    valueOf = (response: Response) => response.json() as Promise<Value>,
  ): Promise<Answered<Value>> {
    try {
      const response = await fetch(path, { ...init, cache: 'no-store' });
      if (response.ok) return { ok: true, value: await valueOf(response) };
      return { ok: false, status: response.status, message: await messageOf(response) };
    } catch {
      return { ok: false, status: 0, message: 'The bot does not answer.' };
    }
  }
  const bearer = (known: string | null): Record<string, string> =>
    known === null ? {} : { authorization: `Bearer ${known}` };
  return {
    get: (path) => ask(path, { headers: bearer(token()) }),
    getText: (path) =>
      ask(path, { headers: { ...bearer(token()), accept: 'text/plain' } }, (response) =>
        response.text(),
      ),
    async post(path, body, known) {
      const late = new AbortController();
      const cancel = ports.after(COMMAND_MS, () => late.abort());
      const answer = await ask<never>(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...bearer(known), 'content-type': 'application/json' },
        signal: late.signal,
      });
      cancel();
      return answer.ok || !late.signal.aborted ? answer : { ...answer, message: LATE };
    },
  };
}
