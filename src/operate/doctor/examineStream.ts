import type { ServiceLinkConfig } from '../../config/index.ts';
import type { ServiceSocket } from '../../wire/index.ts';
import { explainRefusedStream } from '../explainRefusedStream.ts';
import { bad, note, well, type Finding } from './Finding.ts';

const AGAIN = 'Run trimtab doctor again; a bot waits for its stream as long as it takes.';
const CHECK = 'Check link.ws_url, and what is on the way to it.';

/** Connects once, and asks for nothing: a bot whose stream never comes up starts, and waits for ever. */
export async function examineStream(
  socket: ServiceSocket,
  link: Pick<ServiceLinkConfig, 'baseUrl' | 'wsUrl'>,
): Promise<Finding> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  socket.open({
    onFrame: () => {},
    onFault: () => {},
    onStatus(status) {
      if (status.state === 'open') resolve(undefined);
      else if (status.state === 'lost') resolve(status.reason);
    },
  });
  const reason = await promise.finally(() => socket.close());
  if (reason === undefined) return well('stream', `${link.wsUrl} takes the connection`);
  const explained = explainRefusedStream(link, reason);
  if (explained !== undefined) return bad('stream', explained, CHECK);
  const text = `${link.wsUrl} gives no connection: ${reason}`;
  return /^refused_(429|5)/.test(reason) ? note('stream', text, AGAIN) : bad('stream', text, CHECK);
}
