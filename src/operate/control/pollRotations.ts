import type { Cancel, Env } from '../../env/index.ts';
import { rotationRequest, type ControlFiles, type RotationRequest } from './controlFiles.ts';
import { pollRequests } from './pollRequests.ts';

export interface PollRotationsOptions {
  env: Env;
  files: ControlFiles;
  rotate(asked: RotationRequest): Promise<{ done: string } | { refused: string }>;
  /** Called once the key was replaced or refused, before that is answered. */
  onDone?: (() => void) | undefined;
}

/**
 * Polls for `trimtab rotate`.
 *
 * @returns stops it
 */
export function pollRotations({ env, files, rotate, onDone }: PollRotationsOptions): Cancel {
  return pollRequests({
    env,
    onDone,
    request: files.rotation,
    response: files.rotationDone,
    schema: rotationRequest,
    command: 'trimtab rotate',
    async run(asked) {
      const result = await rotate(asked);
      return 'done' in result ? result : result.refused;
    },
  });
}
