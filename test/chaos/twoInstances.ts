import { openTestDatabase } from '../journal/openTestDatabase.ts';
import { play, type Disturbance, type Play } from './play.ts';
import { startBot, type Ending } from './startBot.ts';
import type { ChaosService } from './startService.ts';

/** The first bot waits between its steps until the second has started. */
const OPTIONS = { armed: [], paceMs: 600_000 };

/** A second bot on the same account is refused while the first runs, and the holder is named. */
function secondComes(): Disturbance {
  let second: Promise<Ending> | undefined;
  let holder = 0;
  return {
    onStep(done, { child }, orders) {
      if (done !== 1 || second !== undefined) return;
      holder = child.pid!;
      second = startBot(orders).ending;
      // Then the first one dies, and its successor is admitted.
      void second.then(() => child.kill('SIGKILL'));
    },
    async problems() {
      const ending = await second;
      if (ending === undefined) return ['The second one was never started.'];
      if (ending.kind !== 'failed') return [`The second one was let in, and ${ending.kind}.`];
      const reported = new RegExp(`in use by .*pid ${holder}, since \\d{4}-\\d\\d-\\d\\dT`);
      return reported.test(ending.reason) ? [] : [`The second one was told: ${ending.reason}`];
    },
  };
}

export const twoOnFile = (service: ChaosService, seed: string): Promise<Play> =>
  play({ service, label: `two ${seed}`, ...OPTIONS, disturb: () => secondComes() });

export async function twoOnDatabase(service: ChaosService, seed: string): Promise<Play> {
  const opened = await openTestDatabase();
  if ('reason' in opened) throw new Error(opened.reason);
  const database = { url: opened.url, account: `chaos ${seed}` };
  const label = `two in a database ${seed}`;
  try {
    return await play({ service, label, ...OPTIONS, database, disturb: () => secondComes() });
  } finally {
    await opened.drop();
  }
}
