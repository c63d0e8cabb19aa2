import { counted, withFullStop } from '../../env/index.ts';
import { effectOf } from '../../intents/index.ts';
import type { BotEvent } from '../../runtime/index.ts';
import type { Alert } from './Alert.ts';

/** What happens once and should be known: a liquidation, a refusal of the service, another version that trades. */
export function alertOfEvent(event: BotEvent): Alert | undefined {
  switch (event.kind) {
    case 'liquidation': {
      const { wallet, symbol, time, isMissed } = event.liquidation;
      return {
        // Each is an event of its own.
        key: `liquidation/${wallet}/${symbol}/${time}`,
        severity: 'page',
        title: `${symbol} on ${wallet} was liquidated`,
        text:
          isMissed === true
            ? 'It was closed at its liquidation price while the stream was down, by no order of this bot: for lack of margin, or by a stop just there.'
            : 'The service has closed the position for lack of margin.',
        todo: 'look at the margin that is left, and lower size or leverage before the next entry',
      };
    }
    case 'intent': {
      const { state, emission, fault, reason } = event.event;
      if (state !== 'rejected') return undefined;
      const { instance, wallet, intent } = emission;
      const code = fault?.code ?? '';
      const { symbols, isExit, isControl } = effectOf(intent);
      const about = symbols.length === 0 ? '' : ` in ${symbols.join(', ')}`;
      const side = isExit ? 'exit' : 'entry';
      // A refused cancel has often met a fill, and leaves no position without its exit.
      const what = isControl ? intent.kind : `an ${side}`;
      return {
        // A refused entry of one symbol must not hold back a refused exit, another symbol's or another wallet's.
        key: ['rejected', instance, wallet, intent.kind, symbols.join('+'), side, code].join('/'),
        severity: 'ticket',
        title: `the service rejects ${what} of ${instance}${about}`,
        text: `${intent.kind} on ${wallet}: ${[code, reason ?? fault?.message].filter(Boolean).join(', ')}.`,
        todo:
          isExit && !isControl
            ? 'look at its position, and close or protect it by hand; trimtab journal shows the request'
            : 'trimtab journal shows the request; correct the strategy, or its limits',
      };
    }
    case 'strategy_fault': {
      const { kind, instance, reason, isExit = true } = event.fault;
      // The others end the strategy, which is a condition of its own.
      if (kind !== 'malformed_intent') return undefined;
      return {
        key: `malformed/${instance}/${isExit ? 'exit' : 'entry'}`,
        severity: isExit ? 'page' : 'ticket',
        title: `${isExit ? 'an exit' : 'an entry'} of ${instance} is malformed`,
        text: `It was dropped, and nothing was sent: ${withFullStop(reason)}`,
        todo: isExit
          ? 'look at its position, and close or protect it by hand; then correct the plugin and restart the bot'
          : 'correct the plugin and restart the bot; its log has the place',
      };
    }
    case 'foreign': {
      const { wallet, orders, executions } = event.works;
      return {
        key: `foreign/${wallet}`,
        severity: 'ticket',
        title: `orders on ${wallet} are not this bot's`,
        text: `${counted(orders.length, 'order')} and ${counted(executions.length, 'execution')} on its symbols are not in its journal, and are left alone.`,
        todo: 'find out who sent them; cancel them on the service if nobody did',
      };
    }
    case 'strategy_stage': {
      const { instance, from, to, reason, handedOver } = event.taken;
      const open =
        handedOver.length === 0 ? 'Nothing was open' : `${handedOver.join(', ')} went over`;
      return {
        key: `stage/${instance}/${from}/${to}`,
        severity: 'ticket',
        title: `strategy ${instance} goes from ${from} to ${to}`,
        text: `${withFullStop(reason)} ${open}.`,
        todo: '',
      };
    }
    default:
      return undefined;
  }
}
