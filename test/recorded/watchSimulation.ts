import type { BotConfig } from '../../src/config/index.ts';
import type { Env } from '../../src/env/index.ts';
import { countEvents } from '../../src/operate/metrics/countEvents.ts';
import {
  createPrometheusMetrics,
  type PrometheusMetrics,
} from '../../src/operate/metrics/createPrometheusMetrics.ts';
import { meterLink, meterStore } from '../../src/operate/metrics/index.ts';
import { readSamples } from '../../src/operate/metrics/readSamples.ts';
import { createAlerts } from '../../src/operate/notify/createAlerts.ts';
import { createBotState, type BotView } from '../../src/operate/state/index.ts';
import { configOf } from '../operate/watchedBot.ts';
import { drawScenario } from '../simulation/Scenario.ts';
import { simulate, type AssembledBot } from '../simulation/simulate.ts';
import type { BotPlan } from '../../src/runtime/BotPlan.ts';
import type { OwnerDecision } from '../../src/runtime/control/createOwnerDecisions.ts';
import type { Outcome } from './expectRecorded.ts';

/** Between two looks at a bot's view, and between two scrapes of its metrics. */
const LOOK_MS = 20_000;
const SCRAPE_MS = 300_000;

const OPERATE: BotConfig['operate'] = {
  listen: null,
  hosts: [],
  readToken: null,
  controlToken: null,
  notify: { channels: [], uncoveredSeconds: 60 },
};

/** Which changes with each release. */
function withoutVersion({ blocks, ...view }: BotView): unknown {
  const { version: _version, ...bot } = blocks.bot;
  return { ...view, blocks: { ...blocks, bot } };
}

/** Other plans and commands than those of a seed alone. */
export interface Operation {
  /** The plan of a bot, the first one or the next after its process ended. */
  planOf(plan: BotPlan, life: number): BotPlan;
  decisionsOf(life: number): readonly OwnerDecision[];
  /** Called with each bot before it starts; what it passes to `note` is recorded. */
  operate(assembled: AssembledBot & { plan: BotPlan }, note: (line: string) => void): void;
}

/**
 * One seed of the simulator, and what its bots left: what passed between all parts, their log and events, what an
 * operator saw of them, their metrics and their alerts.
 */
export async function watchSimulation(seed: string, operation?: Operation): Promise<Outcome> {
  const reports: string[] = [];
  const views: string[] = [];
  const scrapes: string[] = [];
  const alerts: string[] = [];
  const scraping: Array<Promise<void>> = [];
  // Of the bot that is being assembled: its ports are wrapped before it exists.
  let metrics: PrometheusMetrics;
  let env: Env;
  let plan: BotPlan;
  let lives = 0;

  function onBot({ sim, process, bot }: AssembledBot): void {
    const own = metrics;
    const config = configOf(plan, { operate: OPERATE });
    const now = (): number => bot.instant;
    // An orderly stop leaves no timer of the bot's own; these are of whoever looks at it.
    const timers: Env['timers'] = {
      after: (ms, run) => sim.queue.at(sim.queue.now() + ms, () => process.alive && run()),
    };
    const outside = { ...env, timers };
    const service = 'the-service';
    const state = createBotState({ bot, config, plan, env: outside, now, service });
    countEvents(bot, plan, own.port, now);
    const about = `${process.index}`;
    const offer = (change: unknown): void => void alerts.push(`${about} ${JSON.stringify(change)}`);
    const rest = { uncoveredSeconds: 60, offer, remind: () => {} };
    createAlerts({ bot, state, env: outside, config, ...rest });

    const every = (ms: number, read: () => void): void =>
      sim.after(ms, () => {
        if (!process.alive) return;
        if (!process.isSuspended) read();
        every(ms, read);
      });
    operation?.operate({ sim, process, bot, plan }, (line) => reports.push(`${about} ${line}`));
    every(LOOK_MS, () => views.push(`${about} ${JSON.stringify(withoutVersion(state.view()))}`));
    every(SCRAPE_MS, () => {
      const at = scrapes.push('') - 1;
      const samples = readSamples({ state, bot, plan, config });
      const versioned = samples.filter(({ name }) => name !== 'build_info');
      const take = (page: { text: string }): void => void (scrapes[at] = `${about} ${page.text}`);
      scraping.push(own.render(versioned).then(take));
    });
  }

  const result = await simulate(drawScenario(seed), {
    traced: true,
    onReported: (line) => reports.push(line),
    onBot,
    isChecked: operation === undefined,
    ...(operation && { decisionsOf: () => operation.decisionsOf(lives + 1) }),
    plant: {
      name: 'watched',
      env(given) {
        metrics = createPrometheusMetrics('watched');
        env = { ...given, metrics: metrics.port };
        return env;
      },
      plan(given) {
        lives++;
        plan = operation?.planOf(given, lives) ?? given;
        return plan;
      },
      link: (link) => meterLink(link, env),
      store: (store) => meterStore(store, env),
    },
  });
  await Promise.all(scraping);
  return new Map([
    ['traffic', result.trace],
    ['reports', reports],
    ['views', views],
    ['metrics', scrapes],
    ['alerts', alerts],
  ]);
}
