// The head of the page: what the bot is, and whether it may trade.
import { NONE, duration, el, timeWithSeconds } from '../../report/page/format.ts';
import { themeButton } from '../../report/page/theme.ts';
import type { BotBlock, WholeView } from '../../state/BotView.ts';
import { factList } from './factList.ts';
import { setAttribute, setHidden, setText } from './keyedTable.ts';
import type { Times } from './PageAsks.ts';

const KINDS: Readonly<Record<NonNullable<BotBlock['kind']>, string>> = {
  live: 'LIVE',
  paper_service: 'PAPER',
  paper: 'PAPER',
};

export function headerParts(): { element: HTMLElement; show(view: WholeView, at: Times): void } {
  const name = el('h1');
  const kind = el('span', { class: 'badge' });
  const level = el('span', { class: 'badge' });
  const toControl = el('a', { href: '#control', class: 'jump' }, 'Control');
  const gate = el('p', { class: 'gate' });
  const facts = factList();
  const element = el(
    'header',
    { class: 'bot' },
    el('div', { class: 'title' }, name, kind, level, toControl, themeButton()),
    gate,
    facts.element,
  );
  return {
    element,
    show({ blocks: { bot, connection }, control, past }, at) {
      const unknown = past?.unknown ?? [];
      setText(name, bot.name);
      const isLive = past === undefined && bot.kind === 'live';
      setText(kind, past === undefined && bot.kind !== null ? KINDS[bot.kind] : 'PAST');
      setAttribute(kind, 'class', `badge ${isLive ? 'live' : 'paper'}`);
      setText(level, bot.kill_level);
      setAttribute(level, 'class', `badge ${bot.kill_level === 'L0' ? 'calm' : 'alarm'}`);
      setHidden(toControl, !control);
      setText(gate, past !== undefined && unknown.length > 0 ? pastGateText(bot) : gateText(bot));
      setAttribute(gate, 'class', isClosed(bot) ? 'gate closed' : 'gate');
      facts.show([
        { label: 'up', text: duration(at.wall - bot.wall_started) },
        {
          label: 'stream',
          text: unknown.includes('connection')
            ? NONE
            : connection.reason === null
              ? connection.state
              : `${connection.state}: ${connection.reason}`,
          tone: connection.state === 'open' || unknown.includes('connection') ? '' : 'loss',
        },
        {
          label: 'service',
          text: unknown.includes('connection') ? NONE : (bot.service ?? 'in the same process'),
        },
        { label: 'market time', text: `${timeWithSeconds(at.market)} UTC` },
        { label: 'version', text: bot.version },
        { label: 'configuration', text: bot.config_hash.slice(0, 16) || NONE },
      ]);
    },
  };
}

const isClosed = (bot: BotBlock): boolean =>
  bot.gate.length > 0 ||
  bot.closed_wallets.length > 0 ||
  bot.kill_level !== 'L0' ||
  bot.key_refused !== null;

/** Whether entries are open, and every reason why not. */
function gateText(bot: BotBlock): string {
  const { gate, kill_level, kill_reason, closed_wallets, closed_symbols, key_refused } = bot;
  // The gate's own reasons have the level from the moment at which it closes.
  const isShown =
    kill_level === 'L0' || gate.some((reason) => reason.startsWith(`kill level ${kill_level}`));
  const reasons = [
    ...(isShown ? [] : [`kill level ${kill_level}: ${kill_reason ?? 'no reason is known'}`]),
    ...gate,
    ...closed_wallets.map(({ wallet, reason }) => `${wallet}: ${reason}`),
    ...(key_refused === null ? [] : [`the service refuses the bot's key ${key_refused}`.trim()]),
  ];
  const symbols = closed_symbols.map(
    ({ wallet, symbol, reason }) => `${symbol} on ${wallet} is closed: ${reason}`,
  );
  const head = reasons.length === 0 ? ['Entries are open'] : ['Entries are closed', ...reasons];
  return [...head, ...symbols].join(' · ');
}

/** A journal has the level, and not why else entries were closed. */
const pastGateText = ({ kill_level, kill_reason }: BotBlock): string =>
  kill_level === 'L0'
    ? 'No kill level was set'
    : `Entries are closed · kill level ${kill_level}: ${kill_reason ?? 'no reason is known'}`;
