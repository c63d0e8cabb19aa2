import type { JournalStore } from '../../journal/index.ts';
import type { LifeEvent } from '../RestartPolicy.ts';

const nameOf = (instance: string): string => `strategy ${instance}`;
const RUNNING = 'running';

/** Journals that an instance ended or runs again, so that an operator finds it there. */
export async function latchLife(
  store: JournalStore,
  event: LifeEvent,
  wallTime: number,
): Promise<void> {
  const name = nameOf(event.instance);
  if (event.state === 'restarted') {
    const reason = `restart ${event.restart} of ${event.max}`;
    return store.setLatch(name, { value: RUNNING, reason, time: wallTime });
  }
  const { fault, restartAt } = event;
  const next =
    restartAt === undefined ? '' : `; starts again at ${new Date(restartAt).toISOString()}`;
  const reason = `${fault.kind}: ${fault.reason}${next}`;
  return store.setLatch(name, { value: 'quarantined', reason, time: wallTime });
}

/** A quarantine lasts as long as its process: an operator who starts the bot starts all of it. */
export async function releaseLives(
  store: JournalStore,
  instances: Iterable<string>,
  wallTime: number,
): Promise<void> {
  for (const instance of instances) {
    const name = nameOf(instance);
    if ((store.latch(name)?.value ?? RUNNING) === RUNNING) continue;
    await store.setLatch(name, { value: RUNNING, reason: 'the bot was started', time: wallTime });
  }
}
