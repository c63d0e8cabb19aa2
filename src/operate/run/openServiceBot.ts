import type { BotConfig } from '../../config/index.ts';
import { createReplaceableBudget } from '../../budget/index.ts';
import { openThread, type Env, type Link } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import { paperSettings } from '../../paper/index.ts';
import { createBot, type Bot, type BotPlan, type OwnerDecision } from '../../runtime/index.ts';
import { meterLink, meterStore } from '../metrics/index.ts';
import { openRecording, recordTo } from '../recording/index.ts';
import { openShadows, type Shadows } from '../shadow/index.ts';
import { openSharedBudget, type SharedBudgetParts } from './openSharedBudget.ts';
import type { RunResult } from './RunFailure.ts';
import type { ServiceResources } from './ServiceResources.ts';

export interface OpenBotOptions {
  config: BotConfig;
  plan: BotPlan;
  env: Env;
  pid: number;
  link: Link;
  journal: JournalStore;
  /** The key that signs now. */
  key: { readonly keyId: string };
  decisions: readonly OwnerDecision[] | undefined;
  /** Receives everything that is opened here. */
  open: ServiceResources;
  onFatal(error: unknown): void;
}

export interface OpenedBot {
  bot: Bot;
  shadows: Shadows;
  /** For another key, a budget that its processes share. */
  sharedBudget: SharedBudgetParts;
}

/** The bot, not started yet, with its recording, its shadows and the budget that it shares with other processes. */
export async function openServiceBot(options: OpenBotOptions): Promise<RunResult<OpenedBot>> {
  const { config, plan, env, pid, link, journal, key, decisions, open, onFatal } = options;
  let exitWeight = (): number => 0;
  const sharedBudget = { config, plan, env, pid, exitWeight: () => exitWeight() };
  const shared = await openSharedBudget(sharedBudget);
  if (!shared.ok) return shared;
  if (shared.value !== undefined) open.shared = createReplaceableBudget(shared.value);
  const recording = openRecording(config, plan, env, true);
  if (!recording.ok) return recording;
  if (recording.value !== null) open.recording = recording.value;
  const shadows = openShadows({
    config,
    plan,
    // A service does not publish how it fills and charges: the defaults of the paper service stand for it.
    paper: paperSettings.parse({ feeds: [{ symbol: 'NONE', interval: '1m', generate: {} }] }),
    funding: {},
    env,
    openThread,
    waits: false,
    keepAll: false,
  });
  open.shadows = shadows;
  const bot = createBot({
    plan,
    link: shadows.tap(meterLink(link, env)),
    env,
    store: meterStore(journal, env),
    threads: { openThread, waits: false },
    // Every wallet is named on the wire, so that the key's default does not matter.
    defaultWallet: '',
    ...recordTo(recording.value),
    ...(open.shared === undefined ? {} : { budget: open.shared }),
    keyInUse: () => key.keyId,
    ...(decisions === undefined ? {} : { decisions }),
    onFatal,
  });
  open.bot = bot;
  open.journal = undefined;
  shadows.follow(bot);
  exitWeight = () => bot.exitWeight();
  return { ok: true, value: { bot, shadows, sharedBudget } };
}
