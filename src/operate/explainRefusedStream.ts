import { streamOf } from '../config/index.ts';
import { readNamedRefusal } from '../wire/index.ts';

/** Refusals of the key, and of what asks too often: at the right address, too. */
const OF_THE_KEY: readonly number[] = [401, 403, 408, 429];

/** What is wrong, as part of a sentence, and what to do about it. */
export interface RefusedStream {
  text: string;
  remedy: string;
}

/**
 * Why a stream never comes up at this address, and what to do about it; undefined if another attempt may help.
 *
 * @param reason of the lost connection, such as `refused_404_not_found`
 */
export function explainRefusedStream(
  { baseUrl, wsUrl }: { baseUrl: string; wsUrl: string },
  reason: string,
): RefusedStream | undefined {
  const status = readNamedRefusal(reason)?.status;
  if (status === undefined || status >= 500 || OF_THE_KEY.includes(status)) return undefined;
  const usual = streamOf(baseUrl);
  const remedy =
    wsUrl === usual
      ? 'Is link.base_url right, and does everything on the way let WebSockets pass?'
      : `Is link.ws_url right? Left out, it is ${usual}`;
  return { text: `the stream at ${wsUrl} is refused (${status})`, remedy };
}
