import { counted } from '../../env/index.ts';
import { cleanText } from './cleanText.ts';
import type { Notice } from './Alert.ts';

/** Everything that one message says. */
export interface Message {
  /** Name of the bot. */
  bot: string;
  notices: readonly Notice[];
  /** Messages that were lost before this one. */
  dropped: number;
}

/** How a kind of channel writes user text so that it stays text. */
export type Escape = (text: string) => string;

const MOST_TITLE = 120;
const MOST_TEXT = 400;
const MOST_TODO = 300;
const LABELS = { page: 'PAGE', ticket: 'TICKET', report: 'REPORT' } as const;

/** One line: how urgent it is, and what it is about. */
export function titleOf({ kind, alert }: Notice): string {
  const label = kind === 'over' ? 'OVER' : LABELS[alert.severity];
  const title = cleanText(alert.title, MOST_TITLE);
  return `${label}${kind === 'still' ? ' (still)' : ''}: ${title}`;
}

export const textOf = ({ alert }: Notice): string => cleanText(alert.text, MOST_TEXT);
/** Nothing is to be done about what is over. */
export const todoOf = ({ kind, alert }: Notice): string =>
  kind === 'over' ? '' : cleanText(alert.todo, MOST_TODO);

/** A message as plain lines, each escaped. */
export function formatMessage({ bot, notices, dropped }: Message, escape: Escape): string {
  const lost = dropped === 0 ? [] : [describeDropped(dropped)];
  const blocks = notices.map((notice) => formatNotice(bot, notice));
  return [...lost, ...blocks].map(escape).join('\n\n');
}

function formatNotice(bot: string, notice: Notice): string {
  const time = `${new Date(notice.time).toISOString().slice(0, 19)}Z`;
  const todo = todoOf(notice);
  const lines = [`[${bot}] ${titleOf(notice)}`, textOf(notice), ...(todo ? [`→ ${todo}`] : [])];
  return [...lines.filter((line) => line !== ''), time].join('\n');
}

const describeDropped = (dropped: number): string =>
  `${counted(dropped, 'earlier alert')} could not be delivered; see the bot's log.`;

/** Takes as many notices, oldest first, as fit into a message of this many characters; at least one. */
export function takeFitting(
  { bot, notices, dropped }: Message,
  { escape, most }: { escape: Escape; most: number },
): Notice[] {
  const taken: Notice[] = [];
  let length = dropped === 0 ? 0 : escape(describeDropped(dropped)).length;
  for (const notice of notices) {
    length += escape(formatNotice(bot, notice)).length + 2;
    if (taken.length > 0 && length > most) break;
    taken.push(notice);
  }
  return taken;
}
