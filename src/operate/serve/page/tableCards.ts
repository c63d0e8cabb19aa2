// The cards of the page that are a table each.
import { card } from '../../report/page/cards.ts';
import { el, whole } from '../../report/page/format.ts';
import type { Blocks, BlockName, WholeView } from '../../state/BotView.ts';
import { keyedTable, type LiveColumn } from './keyedTable.ts';
import type { PageAsks, Times } from './PageAsks.ts';
import {
  EXECUTIONS,
  FEEDS,
  ORDERS,
  POSITIONS,
  WALLETS,
  age,
  strategyColumns,
  unansweredColumns,
} from './tableColumns.ts';

export interface LiveCard {
  element: HTMLElement;
  show(view: WholeView, at: Times): void;
}

type ListName = {
  [Name in BlockName]: Blocks[Name] extends readonly unknown[] ? Name : never;
}[BlockName];

function tableCard<Name extends ListName>(
  name: Name,
  title: string,
  table: {
    columns: readonly LiveColumn<Blocks[Name][number]>[];
    keyOf(row: Blocks[Name][number]): string;
    empty: string;
  },
): LiveCard {
  const shown = keyedTable<Blocks[Name][number]>({ caption: title, ...table });
  const element = card(title, [], shown.element);
  element.id = name;
  return {
    element,
    show({ blocks, past }, at) {
      const isUnknown = past?.unknown.includes(name) === true;
      shown.show(blocks[name], at, isUnknown ? UNKNOWN_PAST : table.empty);
    },
  };
}

/** In place of a table that the source of a past view does not have. */
export const UNKNOWN_PAST = 'A journal does not hold this; a recording does.';

const place = (row: { wallet: string; symbol: string }): string => `${row.wallet} ${row.symbol}`;

/** @param takesCommands whether rows have commands to the bot */
export function tableCards(asks: PageAsks, takesCommands: () => boolean) {
  return {
    wallets: tableCard('wallets', 'Wallets', {
      columns: WALLETS,
      keyOf: (row) => row.wallet,
      empty: 'No account is known yet.',
    }),
    positions: tableCard('positions', 'Positions', {
      columns: POSITIONS,
      keyOf: place,
      empty: 'No position is open.',
    }),
    strategies: tableCard('strategies', 'Strategies', {
      columns: strategyColumns(asks, takesCommands),
      keyOf: (row) => row.name,
      empty: 'The bot has no strategy.',
    }),
    orders: tableCard('orders', 'Orders', {
      columns: ORDERS,
      keyOf: (row) => `${row.wallet} ${row.order_id}`,
      empty: 'No order is open.',
    }),
    executions: tableCard('executions', 'Executions', {
      columns: EXECUTIONS,
      keyOf: (row) => `${row.wallet} ${row.execution_id}`,
      empty: 'No execution is at work.',
    }),
    unanswered: tableCard('unanswered', 'Unknown and unresolved', {
      columns: unansweredColumns(asks, takesCommands),
      keyOf: (row) => row.key,
      empty: 'Every intent that was sent has its answer.',
    }),
    feeds: withConnection(
      tableCard('feeds', 'Feeds', {
        columns: FEEDS,
        keyOf: (row) => row.symbol,
        empty: 'No strategy has a symbol.',
      }),
    ),
  };
}

/** The stream that brings all feeds. */
function withConnection(feeds: LiveCard): LiveCard {
  const line = el('p', { class: 'sub' });
  feeds.element.append(line);
  return {
    element: feeds.element,
    show(view, at) {
      feeds.show(view, at);
      const { state, wall_since, reconnects } = view.blocks.connection;
      const isUnknown = view.past?.unknown.includes('connection') === true;
      const text = isUnknown
        ? ''
        : `The stream is ${state} for ${age(wall_since, at.wall)} · reconnects: ${whole(reconnects)}`;
      if (line.textContent !== text) line.textContent = text;
    },
  };
}
