// Where in the past the page is: a slider over time, steps from change to change, and play.
import { el, timeWithSeconds } from '../../report/page/format.ts';
import type { BrowserPorts } from './browserPorts.ts';
import { setText } from './keyedTable.ts';

/** What was recorded, as the server says it. */
export interface PastAbout {
  name: string;
  source: 'recording' | 'journal';
  path: string;
  from: number;
  until: number;
  changes: number;
  explains: boolean;
  isComplete: boolean;
}

export interface TravelBar {
  element: HTMLElement;
  /** The time that is shown, and the changes beside it; null: there is none. */
  show(at: number, around: { before: number | null; after: number | null }): void;
}

/** Pause between two changes while it plays. */
const PLAY_MS = 400;
/** A tenth of the whole for a page key. */
const PAGES = 10;

export function travelBar(
  about: PastAbout,
  { ports, onTime }: { ports: BrowserPorts; onTime(time: number): void },
): TravelBar {
  const slider = el('input', {
    type: 'range',
    min: String(about.from),
    max: String(about.until),
    step: '1',
    'aria-label': 'Time',
  });
  const shown = el('output', { class: 'travel-time' });
  let around: { before: number | null; after: number | null } = { before: null, after: null };
  let isPlaying = false;
  /** One step is waited for at a time, however often it is stopped and played. */
  let cancelStep = (): void => {};

  const go = (time: number | null): void => {
    if (time !== null) onTime(Math.min(about.until, Math.max(about.from, Math.round(time))));
  };
  const stop = (): void => {
    cancelStep();
    isPlaying = false;
    setText(play, 'Play');
  };
  const step = (to: 'before' | 'after') => (): void => {
    stop();
    go(around[to]);
  };
  const button = (text: string, label: string, click: () => void): HTMLButtonElement =>
    el('button', { type: 'button', 'aria-label': label, click }, text);
  const before = button('‹', 'Previous change', step('before'));
  const after = button('›', 'Next change', step('after'));
  const play = button('Play', 'Play', () => {
    if (isPlaying) return stop();
    isPlaying = true;
    setText(play, 'Pause');
    if (around.after === null) go(about.from);
    else go(around.after);
  });

  slider.addEventListener('input', () => {
    stop();
    go(Number(slider.value));
  });
  const keys: Readonly<Record<string, () => number | null>> = {
    ArrowLeft: () => around.before,
    ArrowDown: () => around.before,
    ArrowRight: () => around.after,
    ArrowUp: () => around.after,
    PageDown: () => Number(slider.value) - (about.until - about.from) / PAGES,
    PageUp: () => Number(slider.value) + (about.until - about.from) / PAGES,
    Home: () => about.from,
    End: () => about.until,
  };
  slider.addEventListener('keydown', (event) => {
    const to = keys[event.key];
    if (to === undefined) return;
    event.preventDefault();
    stop();
    go(to());
  });

  const source =
    about.source === 'recording'
      ? `${about.path} · market time`
      : `${about.path} · a journal: wall time, and neither market nor account`;
  const cut = about.isComplete ? '' : ' · it ends before its bot did';
  const element = el(
    'section',
    { class: 'travel', 'aria-label': 'Time travel' },
    el('p', { class: 'travel-what' }, el('strong', {}, 'The past'), ` · ${source}${cut}`),
    el('div', { class: 'travel-steps' }, before, play, after, slider),
    shown,
  );
  return {
    element,
    show(at, next) {
      around = next;
      slider.value = String(at);
      const text = `${timeWithSeconds(at)} UTC`;
      slider.setAttribute('aria-valuetext', text);
      setText(shown, text);
      shown.title = new Date(at).toLocaleString(undefined, { timeZoneName: 'short' });
      before.disabled = next.before === null;
      after.disabled = next.after === null;
      if (!isPlaying) return;
      if (next.after === null) return stop();
      cancelStep();
      cancelStep = ports.after(PLAY_MS, () => go(around.after));
    },
  };
}
