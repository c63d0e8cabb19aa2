import type { BotConfig } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import {
  isSwap,
  isVersion,
  latchStage,
  type StageStep,
  stepRefusal,
  versionOf,
} from '../../runtime/index.ts';
import { openJournalStore } from '../journal/openJournalStore.ts';
import { nextStage, type StageMove } from './nextStage.ts';
import { describeForeign, describeTakingBack, endStage, readOpenStage } from './readOpenStage.ts';

/**
 * Takes a strategy of a bot that does not run one stage up or down, as its journal's one writer: it holds from the
 * next start. What is open can't be seen, so that each of its symbols is handed over by name.
 *
 * @returns why it can't be done; undefined when it is durable
 * @throws JournalFault `in_use` where a bot runs, here or on another host; any other fault of the journal
 */
export async function promoteStopped({
  config,
  env,
  instance,
  asked,
}: {
  config: BotConfig;
  env: Pick<Env, 'clock' | 'timers' | 'log'>;
  instance: string;
  asked: Omit<StageStep, 'to'> & { move: StageMove };
}): Promise<{ refused: string } | { to: StageStep['to'] }> {
  const planned = config.strategies.find(({ name }) => name === instance)!;
  const store = await openJournalStore({ config, env, startsOver: false, onLost: () => {} });
  try {
    const { directory } = config;
    const shadow = planned.shadow && { use: planned.shadow.use, directory };
    const open = readOpenStage(store, instance, { own: { use: planned.use, directory }, shadow });
    // Back from a version that the file no longer has: the row says which one it was.
    const isBack = asked.move === 'back';
    const { row } = open;
    if (open.version === 'foreign' && !isBack)
      return {
        refused: `it is ${describeForeign(open.row, shadow)}; name that one again, or ${describeTakingBack(config, planned, open.row)}`,
      };
    // The next start would end the stage of the strategy's own version; here it ends with a step that is taken.
    const ends = open.version === 'own';
    const from = open.version === 'former' || ends ? 'shadow' : open.row.stage;
    const to = nextStage(from, asked.move);
    if (to === undefined)
      return { refused: `${instance} is at the stage ${from}, the last one that way` };
    const refused = stepRefusal(
      { name: instance, shadow: shadow ?? (isBack ? row : undefined) },
      from,
      to,
    );
    if (refused !== undefined) return { refused };
    const unnamed = planned.symbols.filter((symbol) => !asked.handOver.includes(symbol));
    if (isSwap(from, to) && unnamed.length > 0)
      return {
        refused: `the bot does not run, so that what is open can’t be seen; hand over all: --hand-over ${planned.symbols.join(',')}`,
      };
    // The same version goes on under the name by which its state is found.
    const isKept =
      row !== undefined && (isBack || shadow === undefined || isVersion(row.version, shadow));
    const version = isKept ? row.version : versionOf(shadow!);
    const time = env.clock.wallNow();
    if (ends) await endStage(store, instance, { version: open.row.version, time });
    await latchStage(store, instance, { stage: to, version, reason: asked.reason, time });
    return { to };
  } finally {
    await store.close();
  }
}
