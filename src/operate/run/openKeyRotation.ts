import type { ReplaceableBudget, SharedBudget } from '../../budget/index.ts';
import {
  processEnvironment,
  resolveKey,
  type LoadedConfig,
  type NamedKey,
  type ServiceLinkConfig,
} from '../../config/index.ts';
import type { Cancel, Env } from '../../env/index.ts';
import { tradedWallets, type Bot, type BotPlan } from '../../runtime/index.ts';
import type { KeyChange } from '../../service/index.ts';
import { pollRotations, type ControlFiles } from '../control/index.ts';
import { createKeyRotation, type KeyRead } from './createKeyRotation.ts';
import type { RunResult } from './RunFailure.ts';
import { watchKeyFiles } from './watchKeyFiles.ts';

export interface OpenKeyRotationOptions {
  bot: Bot;
  env: Env;
  loaded: LoadedConfig;
  plan: BotPlan;
  key: KeyChange;
  /** Null for a bot that takes no commands. */
  files: ControlFiles | null;
  hide(secret: string): void;
  /** Called once a command was carried out, before it is answered. */
  onDone?: () => void;
  /** The budget that the processes of a key share, if they do. */
  shared: ReplaceableBudget | undefined;
  openShared(keyId: string, limit: number): Promise<RunResult<SharedBudget | undefined>>;
}

/**
 * The two ways to a new key: the command, and a changed file.
 *
 * @returns stops both
 */
export function openKeyRotation(options: OpenKeyRotationOptions): Cancel {
  const { bot, env, loaded, plan, key, files, shared } = options;
  const { config } = loaded;
  const link = config.link as ServiceLinkConfig;
  let { named } = link;
  const from = { environment: processEnvironment, directory: config.directory };
  const read = async (asked: NamedKey): Promise<KeyRead> => {
    const found = await resolveKey(asked, 'link', from);
    if (!('findings' in found)) return found;
    const lines = found.findings.map(
      // In parentheses, so that a full stop behind it is no part of a command that somebody copies.
      ({ path, reason, remedy }) => `${path.join('.')}: ${reason} (${remedy})`,
    );
    return { unread: lines.join('; ') };
  };
  const rotation = createKeyRotation({
    bot,
    wallNow: () => env.clock.wallNow(),
    key,
    first: link,
    dialect: plan.dialect,
    wallets: tradedWallets(plan.strategies),
    scopes: plan.strategies.flatMap(({ strategy }) => strategy.scopes),
    weightPerMinute: config.budget.weight_per_minute ?? undefined,
    hide: options.hide,
    async open(keyId, limit) {
      if (shared === undefined) return { use: () => {}, drop: async () => {} };
      const opened = await options.openShared(keyId, limit);
      if (!opened.ok) throw new Error(opened.failure.message);
      const next = opened.value!;
      return { use: () => void shared.replace(next), drop: () => next.close() };
    },
  });
  const ends = [
    watchKeyFiles({
      env,
      rotation,
      // A variable can't change in a running process; reading it again finds the same.
      read: () => read(named),
      onUnread: (reason) => bot.keyRotationRefused(reason),
      onInUse: () => bot.keyRotationRefused(null),
    }),
  ];
  if (files !== null) {
    const polled = pollRotations({
      env,
      files,
      onDone: options.onDone,
      async rotate({ reason, by, named: asked }) {
        const result = await rotation.rotate(() => read(asked), `${reason} (by ${by})`, asked);
        if ('done' in result) named = asked;
        return result;
      },
    });
    ends.push(polled);
  }
  return () => ends.forEach((end) => end());
}
