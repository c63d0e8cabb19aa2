// The page as a function of a view: it reads nothing itself, so that a recorded view is shown as a running bot's is.
import { card } from '../../report/page/cards.ts';
import { el } from '../../report/page/format.ts';
import type { WholeView } from '../../state/BotView.ts';
import { budgetCard } from './budgetCard.ts';
import { eventsCard } from './eventsCard.ts';
import { headerParts } from './headerParts.ts';
import { setHidden } from './keyedTable.ts';
import { liveCandles } from './liveCandles.ts';
import type { KillLevel, PageAsks, Times } from './PageAsks.ts';
import { tableCards } from './tableCards.ts';

export interface OperatorPage {
  /** The same view at a later time changes ages alone. */
  show(view: WholeView, at: Times): void;
  /** What is shown is no longer what the bot is. */
  setStale(isStale: boolean): void;
}

/** @param notices stand above everything, such as a lost connection */
export function createPage(
  root: HTMLElement,
  asks: PageAsks,
  notices: readonly HTMLElement[],
): OperatorPage {
  const header = headerParts();
  let takesCommands = false;
  const tables = tableCards(asks, () => takesCommands);
  const budget = budgetCard();
  const candles = liveCandles(asks);
  const events = eventsCard(asks);
  const control = controlCard(asks);
  const parts = [header, ...Object.values(tables), budget, candles, events];
  const pair = (...cards: readonly { element: HTMLElement }[]): HTMLElement =>
    el('div', { class: 'pair' }, ...cards.map(({ element }) => element));
  const data = el(
    'div',
    { class: 'data' },
    header.element,
    tables.wallets.element,
    tables.positions.element,
    tables.strategies.element,
    tables.orders.element,
    tables.executions.element,
    tables.unanswered.element,
    pair(budget, tables.feeds),
    candles.element,
  );
  root.replaceChildren(
    el('main', { class: 'operator' }, ...notices, data, control, events.element, footer()),
  );
  return {
    show(view, at) {
      takesCommands = view.control;
      for (const part of parts) part.show(view, at);
      setHidden(control, !view.control);
    },
    setStale(isStale) {
      for (const part of [data, events.element]) part.classList.toggle('stale', isStale);
    },
  };
}

const KILLS: readonly KillLevel[] = ['L1', 'L2', 'L3', 'L4'];

function controlCard(asks: PageAsks): HTMLElement {
  const kills = KILLS.map((level) => {
    const name = `Kill to ${level}…`;
    const ask = (): void => asks.onCommand({ kind: 'kill', level });
    return el('button', { type: 'button', class: 'danger', click: ask }, name);
  });
  const rearm = el(
    'button',
    { type: 'button', click: () => asks.onCommand({ kind: 'rearm' }) },
    'Re-arm…',
  );
  const about =
    'L1: no new exposure · L2: own entries are ended as well · L3: flat · L4: nothing is sent. Each asks for a reason, for the journal.';
  const body = el('div', { class: 'controls' }, ...kills, rearm);
  const section = card('Control', [], el('p', { class: 'sub' }, about), body);
  section.id = 'control';
  section.hidden = true;
  return section;
}

function footer(): HTMLElement {
  const charts = el(
    'a',
    { href: 'https://www.tradingview.com/', rel: 'noopener noreferrer', target: '_blank' },
    'TradingView Lightweight Charts™',
  );
  const notice = ', Copyright (c) 2026 TradingView, Inc., Apache License 2.0';
  return el(
    'footer',
    {},
    el('span', {}, 'All times are UTC.'),
    el('span', {}, 'Charts: ', charts, notice),
  );
}
