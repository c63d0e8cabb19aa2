// The newest lines about the bot, with a filter.
import { NONE, el, timeWithSeconds } from '../../report/page/format.ts';
import { card } from '../../report/page/cards.ts';
import type { EventRow, WholeView } from '../../state/BotView.ts';
import { keyedTable, setHidden, setText } from './keyedTable.ts';
import type { PageAsks, Times } from './PageAsks.ts';
import type { LiveCard } from './tableCards.ts';

const EVENT_LEVELS: Readonly<Record<string, readonly EventRow['level'][]>> = {
  all: ['info', 'warn', 'error'],
  'warnings and errors': ['warn', 'error'],
  errors: ['error'],
};
const TONES = { info: 'muted', warn: 'warn', error: 'loss strong' } as const;

export function eventsCard(asks: PageAsks): LiveCard {
  const search = el('input', {
    type: 'search',
    'aria-label': 'Filter events',
    placeholder: 'filter',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const level = el(
    'select',
    { 'aria-label': 'Level of events' },
    ...Object.keys(EVENT_LEVELS).map((name) => el('option', { value: name }, name)),
  );
  const count = el('span', { class: 'value' });
  const day = el(
    'button',
    { type: 'button', click: () => last && asks.onDay(dayText(last.at.wall)) },
    'Day…',
  );
  const lines = keyedTable<EventRow>({
    caption: 'Events, the newest first',
    columns: [
      { label: 'time (UTC)', text: ({ time }) => (time === 0 ? NONE : timeWithSeconds(time)) },
      { label: 'level', text: (row) => row.level, tone: (row) => TONES[row.level] },
      { label: 'event', align: 'wrap', text: (row) => row.text, tone: () => 'strong' },
      { label: 'about', align: 'wrap', text: aboutText },
      {
        label: 'intent',
        text: ({ key }) => (key === undefined ? '' : 'Explain'),
        press: ({ key }) => (key === undefined ? null : () => asks.onExplain(key)),
        pressLabel: (row) => `Explain: ${row.text}, ${aboutText(row)}`,
      },
    ],
    // A line never changes.
    keyOf: (row) => row,
    empty: 'No event matches.',
  });
  const element = card('Events', [count, day, level, search], lines.element);
  element.id = 'events';
  // It scrolls, also while no line in it has a button.
  for (const [name, value] of [
    ['tabindex', '0'],
    ['role', 'region'],
    ['aria-label', 'Events'],
  ] as const)
    lines.element.setAttribute(name, value);
  let last: { view: WholeView; at: Times } | undefined;
  let shownFor = '';
  const draw = (): void => {
    if (last === undefined) return;
    const { events } = last.view;
    const asked = `${level.value}\n${search.value}\n${events.length}\n${events.at(-1)?.sequence}`;
    if (asked === shownFor) return;
    shownFor = asked;
    const shown = filterEvents(events, level.value, search.value);
    setText(count, `${shown.length} of ${events.length}`);
    lines.show(shown.toReversed(), last.at);
  };
  search.addEventListener('input', draw);
  level.addEventListener('change', draw);
  return {
    element,
    show(view, at) {
      setHidden(day, view.past !== undefined);
      // Another list, such as that of a bot that was started again.
      if (view.events[0] !== last?.view.events[0]) shownFor = '';
      last = { view, at };
      draw();
    },
  };
}

/** The journal's days are those of wall time. */
const dayText = (wall: number): string => new Date(wall).toISOString().slice(0, 10);

/** Lines of a level that have every word, in whatever case. */
function filterEvents(
  events: readonly EventRow[],
  level: string,
  search: string,
): readonly EventRow[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const levels = EVENT_LEVELS[level] ?? EVENT_LEVELS['all']!;
  return events.filter((row) => {
    if (!levels.includes(row.level)) return false;
    const text = `${row.text} ${row.key ?? ''} ${aboutText(row)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Without digits that no reader looks for. */
const shortNumber = (value: number): string => String(Number(value.toPrecision(8)));

/** The fields of a line, those without a value left out. */
const aboutText = ({ fields }: EventRow): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name} ${typeof value === 'number' ? shortNumber(value) : value}`)
    .join(' · ');
