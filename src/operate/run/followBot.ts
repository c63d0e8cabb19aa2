import { describeLife } from './describeLife.ts';
import { describeRefused } from './describeRefused.ts';
import type { Log } from '../../env/index.ts';
import type { BotEvent } from '../../runtime/BotEvent.ts';
import type { Bot } from '../../runtime/createBot.ts';
import { settleCommand } from '../journal/settleCommand.ts';

/**
 * Writes what a person should know of a bot into the log: faults loudly, intents by what became of them.
 *
 * @param config the bot's YAML, for the commands that it is asked by
 */
export function followBot(bot: Bot, log: Log, config?: string): void {
  bot.events$.subscribe((event) => write(event, log, config));
}

const MOST_IDS = 20;
/** A key is read at the start only, so that a new one needs a new process. */
const KEY_REFUSED =
  "The service refuses this bot's key (401): nothing that it sends is taken, exits included; positions, orders " +
  'and stops stand on the service as they are. Was the key revoked or made anew? Put the new one where ' +
  'link.key_id and link.secret take it from, and start the bot again';

function write(event: BotEvent, log: Log, config: string | undefined): void {
  switch (event.kind) {
    case 'intent':
      return writeIntent(event, log, config);
    case 'strategy_fault': {
      const { instance, kind, reason } = event.fault;
      return log.error(`Strategy ${instance}: ${reason}`, { strategy: instance, fault: kind });
    }
    case 'strategy_life': {
      const { instance } = event.life;
      return log.error(`Strategy ${instance}: ${describeLife(event.life)}`, { strategy: instance });
    }
    case 'stream_fault': {
      const { fault } = event;
      if (fault.kind === 'refused') return log.error(describeRefused(fault));
      return log.warn(`Stream: ${fault.kind}`, { fault: fault.kind });
    }
    case 'key_refused': {
      const fields = { code: event.code === '' ? undefined : event.code };
      return log.error(KEY_REFUSED, fields);
    }
    case 'fill':
      return log.info('Filled', {
        strategy: event.instance,
        symbol: event.fill.symbol,
        side: event.fill.side,
        size: event.fill.size,
        price: event.fill.price,
      });
    case 'liquidation': {
      const { wallet, symbol, instance } = event.liquidation;
      const text = `${symbol} on ${wallet} was liquidated`;
      return log.error(text, { strategy: instance, wallet, symbol });
    }
    case 'recovered': {
      const { sent, resumed, dropped, aheadMs } = event.report;
      if (aheadMs !== undefined) {
        log.warn(
          'The market stands before the last decision in the journal: what was decided upon these bars is not decided again. A replay that was started over wants a journal of its own',
          { minutes: Math.round(aheadMs / 60_000) },
        );
      }
      const found = sent + resumed + dropped;
      return log[found > 0 ? 'warn' : 'info']('Taken up from the journal', {
        sent,
        resumed,
        dropped,
      });
    }
    case 'foreign': {
      const { wallet, orders, executions } = event.works;
      const ids = [
        ...orders.map(({ order_id }) => order_id),
        ...executions.map(({ execution_id }) => execution_id),
      ];
      const what = `${ids.length} on its symbols are not in this journal and are left alone`;
      return log.warn(`${wallet}: orders and executions, ${what}`, {
        ids: ids.slice(0, MOST_IDS).join(' '),
      });
    }
    case 'gate': {
      const reasons = event.reasons.join(', ');
      return log.info(reasons === '' ? 'Entries are open' : 'Entries are closed', { reasons });
    }
    case 'uncovered': {
      const { symbol, seconds } = event.alarm;
      const text = `${symbol} has stood uncovered for ${Math.floor(seconds)} s`;
      return log.warn(text, { ...event.alarm });
    }
    case 'throttled': {
      const { instance, reason } = event;
      return log.error(`${instance} may not enter any more`, { strategy: instance, reason });
    }
    case 'kill': {
      const { level, reason } = event.latch;
      if (level === 'L0') return log.warn('Re-armed', { level, reason });
      return log.error(`Kill level ${level}`, { level, reason });
    }
    default:
  }
}

/** What a person follows a bot by, at the level info. */
const TOLD: readonly string[] = ['accepted', 'denied', 'expired', 'absent'];

function writeIntent(
  { event }: Extract<BotEvent, { kind: 'intent' }>,
  log: Log,
  config: string | undefined,
): void {
  const { state, emission, key, reason, fault, guard } = event;
  const fields = {
    strategy: emission.instance,
    intent: emission.intent.kind,
    cause: emission.cause,
    state,
    reason: fault?.message ?? reason,
    code: fault?.code ?? guard,
  };
  const text = `${emission.intent.kind} ${state}`;
  if (state === 'unresolved')
    log.warn(`${text}: look it up on the service, then ${settleCommand(key, config)}`, fields);
  else if (state === 'rejected' || state === 'unknown') log.warn(text, fields);
  else if (TOLD.includes(state)) log.info(text, fields);
  else log.debug(text, fields);
}
