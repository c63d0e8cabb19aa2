import { counted } from '../../env/index.ts';
import type { ServiceRun } from '../../operate/run/index.ts';
import { CommandFailure, UNENDED } from '../failures/CommandFailure.ts';

/**
 * A script that stops a bot must not assume that everything has ended.
 *
 * @throws CommandFailure if anything is not ended, has no answer or was not sent
 */
export function refuseRemains(
  name: string,
  { unended, unknowns, waiting }: Pick<ServiceRun, 'unended' | 'unknowns' | 'waiting'>,
): void {
  if (unended.length + unknowns.length + waiting.length === 0) return;
  const parts = [
    ...(unended.length === 0 ? [] : [`${unended.length} not ended or not confirmed`]),
    ...(unknowns.length === 0 ? [] : [`${unknowns.length} sent without an answer`]),
    ...(waiting.length === 0 ? [] : [`${counted(waiting.length, 'exit')} not sent`]),
  ];
  throw new CommandFailure(
    'TRIMTAB_BOT_UNENDED',
    `${name} has stopped, and leaves open: ${parts.join(', ')}; see the lines above.\n` +
      '  Check the service. The next start of the bot reconciles what it sent.',
    UNENDED,
  );
}
