import type { ServiceRequest } from '../src/contract/index.ts';
import type { Env } from '../src/env/index.ts';
import type { LoadedTape, PaperVenue } from '../src/operate/run/index.ts';
import { stepMsOf } from '../src/operate/run/stepMsOf.ts';
import { createClient } from '../src/wire/index.ts';
import { openVenueLink, type DirectLink } from '../src/operate/directLink/index.ts';
import { driveReplay, walkExactly } from './driveReplay.ts';

/**
 * Terminal records that the service retains, per kind and wallet: the record of the run has them all, and
 * a strategy can't request older ones.
 */
const MOST_RETAINED = 1_000;

export interface DirectVenueOptions {
  /** Epoch milliseconds; nothing of the tape before the end of its warm-up is replayed. */
  startTime?: number | undefined;
  /** The machine's environment, for the log and to yield to the event loop. */
  live: Env;
  /** Whether each step is walked by its definition, for tests and doubt. Default: no. */
  exactWalk?: boolean | undefined;
}

/**
 * The paper core in this process under a virtual clock, as a venue to run a bot on. All clocks are the
 * replay's, so that nothing of a run depends on its speed.
 */
export function openDirectVenue(
  { loaded, dialect, paper, data }: LoadedTape,
  { startTime, live, exactWalk = false }: DirectVenueOptions,
): PaperVenue & { link: DirectLink } {
  const retention = Math.min(paper.retention, MOST_RETAINED);
  const { core, env, link, hasDelay } = openVenueLink({
    paper: { ...paper, retention },
    data,
    dialect,
    seed: loaded.config.seed,
    startTime,
    log: live.log,
  });
  const drive = exactWalk ? walkExactly : driveReplay;
  const http = {
    request: (request: ServiceRequest) => Promise.resolve(link.request(request)),
    close: () => Promise.resolve(),
  };
  return {
    env,
    timers: live.timers,
    link,
    client: createClient(http, dialect),
    budgetClock: 'market',
    isStepped: true,
    // One at a time would make each wait for the latency of the one before it.
    concurrency: hasDelay ? undefined : 1,
    position: () => link.controls.position(),
    drive: (options) => drive({ ...options, core, link, live, stepMs: stepMsOf(paper) }),
  };
}
