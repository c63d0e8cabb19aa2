import type { Env } from '../../env/index.ts';

export interface EventsRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Whether the text so far is sufficient. */
  enough: (text: string) => boolean;
  /** Runs once the response has begun: triggers what the stream should show. */
  meanwhile?: () => Promise<unknown>;
  env: Pick<Env, 'timers'>;
}

const WAIT_MS = 10_000;

/** Reads server-sent events until there are enough, the response ends, or ten seconds have passed. */
export async function readEvents(
  request: EventsRequest,
): Promise<{ status: number; text: string }> {
  const { enough, meanwhile, env } = request;
  const stop = new AbortController();
  const cancel = env.timers.after(WAIT_MS, () => stop.abort());
  let text = '';
  let status = 0;
  try {
    const response = await fetch(request.url, { headers: request.headers, signal: stop.signal });
    status = response.status;
    const done = meanwhile?.();
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (enough(text)) break;
    }
    await done;
  } catch (thrown) {
    if (!stop.signal.aborted) throw thrown;
  } finally {
    cancel();
    stop.abort();
  }
  return { status, text };
}
