import { MINUTE_MS } from '../../contract/durations.ts';
import { createFaultLines } from './createFaultLines.ts';
import { describeLife } from './describeLife.ts';
import { describeNotice } from './describeNotice.ts';
import { describeRefused, type KnownOfBot } from './describeRefused.ts';
import type { Log, LogFields } from '../../env/index.ts';
import type { BotEvent, Bot, PipeEvent } from '../../runtime/index.ts';
import { streamFailureCode, type StreamFault } from '../../streams/index.ts';
import type { CommandTarget } from '../journal/commandOf.ts';
import { settleCommand } from '../journal/settleCommand.ts';
import { createUnsentExits } from '../state/createUnsentExits.ts';

export interface FollowOptions {
  /** For the commands that the log suggests. */
  config?: CommandTarget;
  /** Host of the service; absent if it is in the same process. */
  address?: string;
  /** For the location and the remedy of a refused stream. */
  known?: KnownOfBot;
}

/** Logs what an operator should know of a bot: faults as errors, intents by their outcome. */
export function followBot(bot: Pick<Bot, 'events$'>, log: Log, options: FollowOptions = {}): void {
  const writeFault = createFaultLines(log, options.known?.config);
  const unsent = createUnsentExits();
  bot.events$.subscribe((event) => {
    if (event.kind === 'strategy_fault') return writeFault(event.fault);
    if (event.kind !== 'intent') return write(event, log, options);
    return writeIntent(event, log, options.config, unsent.follow(event.event));
  });
}

const MOST_IDS = 20;
const KEY_REFUSED =
  "The service refuses this bot's key (401): none of its requests is accepted, exits included; positions, orders " +
  'and stops remain on the service. Was the key revoked or rotated? Put the new one where ' +
  'link.key_id and link.secret read it from, and run trimtab rotate; an environment variable needs a restart';

function write(
  event: Exclude<BotEvent, { kind: 'strategy_fault' | 'intent' }>,
  log: Log,
  { address, known }: FollowOptions,
): void {
  switch (event.kind) {
    case 'strategy_life': {
      const { instance } = event.life;
      return log.error(`Strategy ${instance}: ${describeLife(event.life)}`, { strategy: instance });
    }
    case 'strategy_notice': {
      const { instance, notice } = event;
      const fields = { strategy: instance, notice: notice.kind };
      const text = describeNotice(instance, notice);
      return log[notice.kind === 'state_in_warm_up' ? 'debug' : 'warn'](text, fields);
    }
    case 'stream_fault': {
      const { fault } = event;
      const fields = { code: streamFailureCode(fault), ...streamFields(fault), address };
      if (fault.kind === 'refused') {
        for (const { instance, text } of describeRefused(fault, event.askers, known))
          log.error(text, { strategy: instance, ...fields });
        return;
      }
      return log.warn(`Stream: ${fault.kind}`, { fault: fault.kind, ...fields });
    }
    case 'key_refused': {
      const fields = { code: event.code === '' ? undefined : event.code, address };
      return log.error(KEY_REFUSED, fields);
    }
    case 'key_accepted':
      return log.warn("The service accepts this bot's key again", { address });
    case 'key_rotated': {
      const { keyId, previous, fingerprint, reason, unanswered } = event.rotation;
      const text = `Signs with the key ${keyId} from now on, in place of ${previous}`;
      return log.warn(text, { fingerprint, reason, unanswered, address });
    }
    case 'key_rotation_refused':
      if (event.reason === null)
        return log.info('The key is not to be replaced any more: its files name the one in use', {
          address,
        });
      return log.error(`The key is not replaced: ${event.reason}`, { address });
    case 'fill':
      if (log.writes?.('info') === false) return;
      return log.info('Filled', {
        strategy: event.instance,
        wallet: event.wallet,
        symbol: event.fill.symbol,
        side: event.fill.side,
        size: event.fill.size,
        price: event.fill.price,
      });
    case 'liquidation': {
      const { wallet, symbol, instance, isMissed } = event.liquidation;
      const missed =
        isMissed === true ? ' while the stream was down, by the price of its fill' : '';
      const text = `${symbol} on ${wallet} was liquidated${missed}`;
      return log.error(text, { strategy: instance, wallet, symbol });
    }
    case 'recovered': {
      const { sent, resumed, dropped, aheadMs } = event.report;
      if (aheadMs !== undefined) {
        log.warn(
          'Market time is before the last decision in the journal: decisions that are journaled for these bars are not repeated. Give a restarted replay its own journal',
          { minutes: Math.round(aheadMs / MINUTE_MS) },
        );
      }
      const found = sent + resumed + dropped;
      return log[found > 0 ? 'warn' : 'info']('Recovered from the journal', {
        sent,
        resumed,
        dropped,
      });
    }
    case 'taken_over': {
      const { lines, holds, unheeded, former } = event.takeOver;
      for (const text of [...unheeded, ...former]) log.warn(text);
      for (const hold of holds) log.error(`No exposure is added: ${hold}`);
      return log.info('Found working', { found: lines.slice(0, MOST_IDS).join('; ') });
    }
    case 'foreign': {
      const { wallet, orders, executions } = event.works;
      const ids = [
        ...orders.map(({ order_id }) => order_id),
        ...executions.map(({ execution_id }) => execution_id),
      ];
      const what = `${ids.length} on its symbols are not in this journal and are left alone`;
      return log.warn(`${wallet}: orders and executions, ${what}`, {
        wallet,
        ids: ids.slice(0, MOST_IDS).join(' '),
      });
    }
    case 'holding_left': {
      const { wallet, symbol, size } = event;
      const text = `${size} of ${symbol} on ${wallet} are left: no fill shows that this bot bought them`;
      return log.warn(text, { wallet, symbol, size });
    }
    case 'gate': {
      const reasons = event.reasons.join(', ');
      return log.info(reasons === '' ? 'Entries are open' : 'Entries are closed', { reasons });
    }
    case 'uncovered': {
      const { symbol, seconds } = event.alarm;
      const text = `${symbol} has been uncovered for ${Math.floor(seconds)} s`;
      return log.warn(text, { ...event.alarm });
    }
    case 'position_doubted': {
      const { wallet, symbol, shown, expected } = event.doubt;
      const figures = `shows ${shown}, its fills make ${expected}`;
      const text = `The position in ${symbol} on ${wallet} contradicts its fills: the stream ${figures}. Entries of ${symbol} are closed until a fresh snapshot agrees`;
      return log.warn(text, { wallet, symbol, shown, expected });
    }
    case 'position_confirmed': {
      const { wallet, symbol, size } = event;
      const text = `A fresh snapshot agrees on ${symbol} on ${wallet}: its entries are open again`;
      return log.info(text, { wallet, symbol, size });
    }
    case 'stop_lost': {
      const { wallet, symbol, trigger, isOffered } = event.lost;
      const what = isOffered
        ? 'It is submitted again'
        : 'It was submitted again before, and is not now';
      const text = `The service retired the stop of ${symbol}, and the position is still open. ${what}`;
      return log[isOffered ? 'warn' : 'error'](text, { wallet, symbol, trigger });
    }
    case 'throttled': {
      const { instance, reason } = event;
      return log.error(`${instance} may no longer enter`, { strategy: instance, reason });
    }
    case 'strategy_paused': {
      const { instance, reason } = event;
      const text = reason === null ? 'may enter again' : 'is paused and adds no exposure';
      return log.warn(`Strategy ${instance} ${text}`, {
        strategy: instance,
        reason: reason ?? undefined,
      });
    }
    case 'strategy_stage': {
      const { instance, from, to, reason, handedOver } = event.taken;
      const open = handedOver.length === 0 ? '' : `; taken over: ${handedOver.join(', ')}`;
      const text = `Strategy ${instance} goes from ${from} to ${to}${open}`;
      return log.warn(text, { strategy: instance, reason });
    }
    case 'kill': {
      const { level, reason } = event.latch;
      if (level === 'L0') return log.warn('Re-armed', { kill_level: level, reason });
      return log.error(`Kill level ${level}`, { kill_level: level, reason });
    }
    default:
  }
}

/** The stream concerned, if there is one: an unreadable frame has no channel. */
function streamFields(fault: StreamFault): LogFields {
  if (fault.kind === 'undecodable') return { reason: fault.fault.reason };
  const { channel, params } = fault.kind === 'refused' ? fault.subscription : fault;
  const { symbol, interval, wallet } = params as Record<string, unknown>;
  const texts = Object.entries({ symbol, interval, wallet }).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const rest = { channel, ...Object.fromEntries(texts) };
  if (fault.kind === 'gap') return { ...rest, expected: fault.expected, got: fault.got };
  return fault.kind === 'read_failed' ? { ...rest, reason: fault.reason } : rest;
}

/** The course of a bot, at the level info. */
const REPORTED: readonly string[] = ['accepted', 'denied', 'expired', 'absent'];
const WARNED: readonly string[] = ['unresolved', 'rejected', 'unknown'];

function writeIntent(
  { event }: Extract<BotEvent, { kind: 'intent' }>,
  log: Log,
  config: CommandTarget | undefined,
  /** It is an exit that could not be sent; said once, since each further attempt fails alike. */
  isUnsentNow: boolean,
): void {
  const { state, emission, key, reason, fault, guard } = event;
  const level = isUnsentNow ? 'warn' : levelOf(state);
  if (level !== 'warn' && log.writes?.(level) === false) return;
  const fields = {
    key,
    wallet: emission.wallet,
    strategy: emission.instance,
    intent: emission.intent.kind,
    cause: emission.cause,
    state,
    reason: reason ?? fault?.message,
    code: fault?.code ?? guard,
  };
  const text = `${emission.intent.kind} ${state}`;
  if (state === 'unresolved')
    log.warn(`${text}: look it up on the service, then ${settleCommand(key, config)}`, fields);
  else if (isUnsentNow) log.warn(`${text}: it can't be sent, and is tried until it is`, fields);
  else log[level](text, fields);
}

function levelOf(state: PipeEvent['state']): 'debug' | 'info' | 'warn' {
  if (REPORTED.includes(state)) return 'info';
  return WARNED.includes(state) ? 'warn' : 'debug';
}
