import { spokenPlainly } from '../../contract/index.ts';
import { pause, within, type Env } from '../../env/index.ts';
import type { PaperSettings } from '../../paper/server/PaperSettings.ts';
import { startPaperServer } from '../../paper/server/startPaperServer.ts';
import {
  createBarrierLink,
  type BarrierLink,
  createDelayedLink,
  hasRequestDelay,
  runReplay,
  type ReplayPosition,
} from '../../runtime/index.ts';
import { createPaperControls, type PaperControls } from '../../wire/index.ts';
import type { LoadedTape } from './loadTape.ts';
import { openService } from './openService.ts';
import type { DriveOptions, PaperVenue } from './PaperVenue.ts';
import { stepMsOf } from './stepMsOf.ts';

/** The embedded paper service on real sockets; `close` ends it after the bot has ended. */
export async function openSocketVenue(
  { loaded, dialect, paper, data }: LoadedTape,
  env: Env,
): Promise<PaperVenue & { close(): Promise<void> }> {
  // The bot subscribes before the tape moves, so the service starts paused at any speed. Its journal
  // starts afresh with every run, and so does its service.
  const { state: _state, ...fresh } = paper;
  const { seed } = loaded.config;
  const atMaximum = paper.speed === 'max';
  const { latency } = paper;
  // When stepped, the link models the latency to the service, because it knows when nothing else is left
  // to do.
  const ofService = atMaximum ? { ...latency, order_ms: 0, cancel_ms: 0 } : latency;
  const settings: PaperSettings = { ...fresh, latency: ofService, port: 0, paused: true };
  const server = await startPaperServer({ settings, data, dialect, seed }, env);
  const controls = createPaperControls(server.baseUrl, env);
  const spoken = spokenPlainly(dialect);
  const service = openService(server, { dialect: spoken, env, market: 'frames' });
  const plain = createBarrierLink(service.link);
  const delays = { order: latency.order_ms, cancel: latency.cancel_ms };
  const { endTime } = server.core.engine;
  const hasDelay = hasRequestDelay(latency);
  const barrier = hasDelay ? createDelayedLink(plain, { delays, seed, endTime }) : plain;
  const from = { controls, env, paper };
  return {
    env,
    timers: env.timers,
    link: atMaximum ? barrier : service.link,
    client: service.client,
    budgetClock: paper.budget_clock === 'replay' ? 'market' : 'wall',
    isStepped: atMaximum,
    // One at a time would make each wait for the latency of the one before it.
    concurrency: atMaximum && !hasDelay ? 1 : undefined,
    position: () => controls.replay(),
    drive: (options) =>
      atMaximum
        ? runStepped({ ...options, ...from, link: barrier })
        : runPaced({ ...options, ...from }),
    async close() {
      await service.link.close();
      await controls.close();
      await server.close();
    },
  };
}

interface Drive extends DriveOptions {
  controls: PaperControls;
  env: Env;
  paper: PaperSettings;
}

const hasLatency = ({ latency }: PaperSettings): boolean =>
  hasRequestDelay(latency) || latency.data_ms !== 0;

/** At maximum speed, from event to event, as reproducible as a run without sockets. */
async function runStepped(drive: Drive & { link: BarrierLink }): Promise<number> {
  const { controls, bot, link, paper, isOver, onStep } = drive;
  const end = await runReplay({
    controls: {
      position: () => controls.replay(),
      advanceTo: (toTime, apartFrom) =>
        controls.advance({ to_time: toTime, until: 'event', apart_from: apartFrom ?? [] }),
    },
    link,
    stepMs: stepMsOf(paper),
    bot,
    // What takes time on its way is late in any case, and each frame's instant is one by itself.
    ...(hasLatency(paper) ? {} : { passive: bot.streams.passive }),
    onStep,
    isStopped: isOver,
  });
  return end.time;
}

const POLL_MS = 250;
/** What is on its way when a run is interrupted has so long to be answered: in a busy market something always is. */
const LEFT_MS = 5_000;

/** At a pace of wall time, as a bot would run live. */
async function runPaced(drive: Drive): Promise<number> {
  const { controls, bot, env, paper, isOver, onStep } = drive;
  let position: ReplayPosition & { state?: string } = await controls.speed(paper.speed);
  while (position.state !== 'ended' && !isOver()) {
    await pause(env.timers, POLL_MS);
    position = await controls.replay();
    onStep(position);
  }
  let isSettled = false;
  const settled = bot.settled().then(() => void (isSettled = true));
  let overSince: number | undefined;
  while (!isSettled) {
    await within(env.timers, settled, POLL_MS);
    const now = env.clock.monotonicNow();
    if (isOver()) overSince ??= now;
    if (now - (overSince ?? now) >= LEFT_MS) break;
  }
  return position.time;
}
