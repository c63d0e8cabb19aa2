import type { BotConfig } from '../../config/index.ts';
import { reasonOf, replaceFile, type Env, type Link, type OpenThread } from '../../env/index.ts';
import type { PaperSettings, SymbolFunding } from '../../paper/index.ts';
import type { Bot, BotPlan, PlannedStrategy } from '../../runtime/index.ts';
import { compareVersions, type Comparison } from './compareVersions.ts';
import { createShadow, type Shadow } from './createShadow.ts';
import { newestIntents } from './newestIntents.ts';
import { setShadowAside, shadowFilesOf, type ShadowFiles } from './shadowFiles.ts';
import type { ShadowSpec } from './ShadowMessage.ts';
import type { ShadowCourse } from './ShadowView.ts';
import { tapCandles } from './tapCandles.ts';
import { viewOf } from './viewOf.ts';

export interface ShadowsOptions {
  config: BotConfig;
  plan: BotPlan;
  /** Whether there are any; a backtest leaves them out. Default: yes. */
  areOn?: boolean;
  /** Settings of the shadows' venue: the embedded service's own, or its defaults. */
  paper: PaperSettings;
  funding: Readonly<Record<string, SymbolFunding>>;
  env: Pick<Env, 'timers' | 'log'>;
  openThread: OpenThread;
  /** Whether the bot waits for each turn, as a replay at maximum speed does. */
  waits: boolean;
  /** Whether every intent is needed, for a report; else the newest. */
  keepAll: boolean;
}

/** The shadows of a bot. */
export interface Shadows {
  /** A link by which they see the bot's candles. */
  tap(link: Link): Link;
  follow(bot: Bot): void;
  /** As far as they have come. */
  courses(): ShadowCourse[];
  /** Both versions of each, compared; paired anew only where something has changed. */
  comparisons(): readonly Comparison[];
  /** Ends them, and writes their figures for the last time. */
  close(): Promise<void>;
}

/** For a shadow with `isolation: none`: it has a thread in any case, and only its limits are the widest. */
const TURN_DEADLINE_MS = 10_000;
const MEMORY_MB = 512;
const MOST_INTENTS = 5_000;
const MOST_OF_REPORT = 200_000;
const WRITE_MS = 1_000;

type Shadowed = PlannedStrategy & { shadow: NonNullable<PlannedStrategy['shadow']> };

const isShadowed = (planned: PlannedStrategy): planned is Shadowed => planned.shadow !== undefined;

export function openShadows(options: ShadowsOptions): Shadows {
  const { config, plan, env, openThread, waits, keepAll } = options;
  const shadowed = options.areOn === false ? [] : plan.strategies.filter(isShadowed);
  const all = shadowed.map((planned) => {
    const files = shadowFilesOf(config, planned.name);
    if (files !== null) setShadowAside(files);
    const { turnDeadlineMs = TURN_DEADLINE_MS } = planned.shadow.isolation ?? {};
    const shadow = createShadow({
      spec: toSpec(planned, files, options),
      openThread,
      timers: env.timers,
      log: env.log.with({ strategy: planned.name, version: 'shadow' }),
      waits,
      turnDeadlineMs,
      mostIntents: keepAll ? MOST_OF_REPORT : MOST_INTENTS,
    });
    const figures = createFiguresFile(shadow, files, env);
    return { shadow, figures, compared: rememberComparison(shadow) };
  });

  return {
    tap(link) {
      if (all.length === 0) return link;
      return tapCandles(link, {
        take(symbol, interval, candles) {
          for (const { shadow } of all) shadow.take(symbol, interval, candles);
        },
        expect(symbol) {
          const settled = all.map(({ shadow }) => shadow.expect(symbol));
          return () => settled.forEach((settle) => settle());
        },
      });
    },
    follow(bot) {
      for (const { shadow, figures } of all) {
        shadow.follow(bot);
        bot.onInstant(figures.note);
      }
    },
    courses: () => all.map(({ shadow }) => shadow.course()),
    comparisons: () => all.map(({ compared }) => compared()),
    async close() {
      await Promise.all(all.map(({ shadow }) => shadow.close()));
      for (const { figures } of all) figures.end();
    },
  };
}

function toSpec(
  planned: Shadowed,
  files: ShadowFiles | null,
  { config, plan, paper, funding }: ShadowsOptions,
): ShadowSpec {
  const { name, symbols, shadow } = planned;
  const { use, directory, params, isolation } = shadow;
  const { file, dialect, dialectModule } = config;
  const { state: _state, feeds: _feeds, ...venue } = paper;
  return {
    instance: name,
    use,
    directory,
    params,
    symbols: symbols.map((symbol) => ({ symbol, interval: plan.markInterval(symbol) })),
    instruments: plan.instruments.filter(({ symbol }) => symbols.includes(symbol)),
    guards: plan.guards,
    protection: plan.protection ?? 'off',
    dialect: { file, dialect, dialectModule },
    seed: config.seed,
    paper: { ...venue, feeds: [] },
    funding: Object.fromEntries(Object.entries(funding).filter(([one]) => symbols.includes(one))),
    memoryMb: isolation?.memoryMb ?? MEMORY_MB,
    journal: files?.journal ?? null,
  };
}

/** Pairing costs more than a beat of the operator's page should, and little changes between two. */
function rememberComparison(shadow: Shadow): () => Comparison {
  let changes = -1;
  let last: Comparison | undefined;
  return () => {
    if (last === undefined || changes !== shadow.changes) {
      const course = shadow.course();
      const live = newestIntents(course.liveIntents, MOST_INTENTS);
      const own = newestIntents(course.shadowIntents, MOST_INTENTS);
      last = compareVersions({
        ...course,
        intentsSince: Math.max(course.intentsSince, live.since, own.since),
        liveIntents: live.intents,
        shadowIntents: own.intents,
      });
    }
    ({ changes } = shadow);
    return last;
  };
}

/** What another process reads of a shadow while its bot runs, at most once a second of wall time. */
function createFiguresFile(
  shadow: Shadow,
  files: ShadowFiles | null,
  { timers, log }: Pick<Env, 'timers' | 'log'>,
) {
  let isPlanned = false;

  function write(path: string): void {
    try {
      replaceFile(path, `${JSON.stringify(viewOf(shadow.course()))}\n`);
    } catch (error) {
      log.warn("The shadow's figures can't be written", { file: path, reason: reasonOf(error) });
    }
  }

  return {
    note(): void {
      if (files === null || isPlanned) return;
      isPlanned = true;
      timers.after(WRITE_MS, () => {
        isPlanned = false;
        write(files.figures);
      });
    },
    end(): void {
      if (files === null) return;
      isPlanned = true;
      write(files.figures);
    },
  };
}
