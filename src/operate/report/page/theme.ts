// Colours: dark or light by the reader's system setting, until they choose. A strategy has the same
// colour everywhere on the page; the palette suits colour-blind readers on both backgrounds.
import type { ColorType } from 'lightweight-charts';
import type { PageData } from '../toPageData.ts';
import { el } from './format.ts';

const PALETTE = [
  '#3f8cff',
  '#f08c2e',
  '#19a88b',
  '#b075f0',
  '#e4588f',
  '#c4a000',
  '#5bb8d4',
  '#8f9b4a',
];
const STORED = 'trimtab-report-theme';

const themeListeners: (() => void)[] = [];

type Theme = 'dark' | 'light';

export function cssColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** @param name null for the whole bot */
export function strategyColour(data: Pick<PageData, 'strategies'>, name: string | null): string {
  const index = data.strategies.findIndex((strategy) => strategy.name === name);
  return index === -1 ? cssColour('--text') : PALETTE[index % PALETTE.length]!;
}

/** A file opened from disk may have no storage; the choice then lasts as long as the page is open. */
export function storedTheme(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

function currentTheme(): string {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  return document.documentElement.dataset.theme ?? (dark ? 'dark' : 'light');
}

function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(STORED, theme);
  } catch {
    // The page works without.
  }
  for (const listener of themeListeners) listener();
}

export function onTheme(listener: () => void): void {
  themeListeners.push(listener);
}

export function themeButton(): HTMLElement {
  const label = () => (currentTheme() === 'dark' ? 'Light' : 'Dark');
  const button: HTMLButtonElement = el('button', {
    class: 'ghost',
    id: 'theme',
    type: 'button',
    click: () => {
      setTheme(currentTheme() === 'dark' ? 'light' : 'dark');
      button.textContent = label();
    },
  });
  button.textContent = label();
  return button;
}

export function chartTheme() {
  return {
    layout: {
      background: { type: 'solid' as ColorType.Solid, color: 'transparent' },
      textColor: cssColour('--muted'),
      fontFamily: cssColour('--font'),
      fontSize: 11,
      panes: { separatorColor: cssColour('--line'), separatorHoverColor: cssColour('--hover') },
    },
    grid: {
      vertLines: { color: cssColour('--grid') },
      horzLines: { color: cssColour('--grid') },
    },
    rightPriceScale: { borderColor: cssColour('--line') },
    timeScale: { borderColor: cssColour('--line') },
  };
}

export function candleTheme() {
  const [up, down] = [cssColour('--candle-up'), cssColour('--candle-down')];
  return {
    upColor: up,
    downColor: down,
    wickUpColor: up,
    wickDownColor: down,
    borderVisible: false,
  };
}
