import type { LifeEvent } from '../../runtime/index.ts';

/** The state of an instance, and what comes next, in words. */
export function describeLife(life: LifeEvent): string {
  if (life.state === 'restarted') return `started again (${life.restart} of ${life.max})`;
  if (life.restartAt === undefined)
    return 'quarantined; it stays so until the bot is started again';
  return `quarantined; it starts again at ${new Date(life.restartAt).toISOString()}`;
}
