import type { LifeEvent } from '../../runtime/index.ts';

/** The state of an instance, and what comes next, in words. */
export function describeLife(life: LifeEvent): string {
  if (life.state === 'restarted') return `restarted (${life.restart} of ${life.max})`;
  if (life.restartAt === undefined) return 'quarantined until the bot is restarted';
  return `quarantined; it restarts at ${new Date(life.restartAt).toISOString()}`;
}
