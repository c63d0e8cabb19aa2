import { streamOf, type ServiceLinkConfig } from '../../config/index.ts';
import type { ServiceSocket } from '../../wire/index.ts';
import { explainRefusedStream } from '../explainRefusedStream.ts';
import { bad, note, well, type Finding } from './Finding.ts';

const AGAIN = 'Run trimtab doctor again; a bot waits for its stream as long as it takes.';
const OF_THE_KEY = 'Check link.key_id and link.secret; a stream needs the scope read.';

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
  const reason = await promise;
  await socket.close();
  if (reason === undefined) return well('stream', `${link.wsUrl} takes the connection`);
  const explained = explainRefusedStream(link, reason);
  if (explained !== undefined) return bad('stream', explained.text, explained.remedy);
  const text = `${link.wsUrl} gives no connection: ${reason}`;
  if (/^refused_(408|429|5)/.test(reason)) return note('stream', text, AGAIN);
  if (/^refused_(401|403)/.test(reason)) return bad('stream', text, OF_THE_KEY);
  const setting = link.wsUrl === streamOf(link.baseUrl) ? 'link.base_url' : 'link.ws_url';
  return bad('stream', text, `Check ${setting}, and what is on the way to it.`);
}
