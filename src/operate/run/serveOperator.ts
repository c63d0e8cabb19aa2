import type { ListenAddress } from '../../config/index.ts';
import { reasonOf, withFullStop } from '../../env/index.ts';
import { openOperator, type Operator, type OperatorOptions } from '../serve/index.ts';
import { failed, type RunResult } from './RunFailure.ts';

/** Opens server and alerts of a bot that has not started yet; undefined if its configuration has neither. */
export async function serveOperator(
  options: OperatorOptions,
): Promise<RunResult<Operator | undefined>> {
  try {
    return { ok: true, value: await openOperator(options) };
  } catch (error) {
    return failed('TRIMTAB_OPERATE_UNSERVED', describe(options.config.operate!.listen!, error));
  }
}

function describe(listen: ListenAddress, error: unknown): string {
  const at = 'socket' in listen ? `unix:${listen.socket}` : `${listen.host}:${listen.port}`;
  const { code } = error as NodeJS.ErrnoException;
  const inUse =
    'socket' in listen
      ? 'Another process listens there, or a file that is no socket has this name: name another path.'
      : 'Another process listens there: end it, or name another port: 0 takes a free one, off none.';
  const remedy =
    code === 'EADDRINUSE'
      ? inUse
      : 'Name an address of this machine under operate.listen, such as 127.0.0.1:9464.';
  return `operate.listen: ${at} can't be taken: ${withFullStop(reasonOf(error))}\n  ${remedy}`;
}
