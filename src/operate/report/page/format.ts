// How the page shows numbers, times and elements. Everything that comes from the data is set as text,
// never as HTML.

const moneyFormat = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const sizeFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 10 });
const indicatorFormat = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 });
const wholeFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const NONE = '–';

/** A value that may be missing: JSON has null for values that are not numbers. */
export type Maybe<Value> = Value | null | undefined;

export const isNone = (value: unknown): value is null | undefined =>
  value === null || value === undefined;

/** With the minus sign character; a rounded zero has none. */
const signed = (text: string): string =>
  /[1-9]/.test(text) ? text.replace('-', '−') : text.replace('-', '');

export const money = (value: Maybe<number>): string =>
  isNone(value) ? NONE : signed(moneyFormat.format(value));
export function gain(value: Maybe<number>): string {
  const text = money(value);
  return !isNone(value) && value > 0 && text !== money(0) ? `+${text}` : text;
}
export const whole = (value: Maybe<number>): string =>
  isNone(value) ? NONE : wholeFormat.format(value);
/** Complete days: 29.6 days are not the 30 that a ratio needs. */
export const wholeDays = (value: number): string => whole(Math.floor(value));
/** All digits of a size, without those beyond a double's 15 that a sum has added. */
export const size = (value: Maybe<number>): string =>
  isNone(value) ? NONE : signed(sizeFormat.format(Number(value.toPrecision(15))));
/** A value that nobody trades by, such as an indicator's. */
export const indicator = (value: Maybe<number>): string =>
  isNone(value) ? NONE : signed(indicatorFormat.format(value));
export const percent = (share: Maybe<number>, digits = 1): string =>
  isNone(share) ? NONE : `${signed((share * 100).toFixed(digits))} %`;
export const ratio = (value: Maybe<number>): string =>
  isNone(value) ? NONE : signed(value.toFixed(2));

const NO_BREAK = '\u00a0';
/** Text in which no line ends between a number and its unit, or before a dot that separates. */
export const unbroken = (text: string): string =>
  text.replaceAll(/(?<=\d) (?=%|(?:d|h|min|s|bps)\b)/g, NO_BREAK).replaceAll(' ·', `${NO_BREAK}·`);

/** How the prices of a symbol are shown. */
export type PriceFormat = (value: Maybe<number>) => string;

/** As many decimals as the symbol's prices have in the data, so that a column lines up. */
export function priceFormatter(decimals: number): PriceFormat {
  const format = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return (value) => (isNone(value) ? NONE : format.format(value));
}

/** Of the shortest decimal that reads back as `value`, also where its text has an exponent. */
function decimalsIn(value: number): number {
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  return mantissa.replace(/\D/g, '').length - 1 - Number(power);
}

/** As many as the first prices need; 12 at most. */
export function decimalsOf(values: readonly number[]): number {
  return Math.min(12, Math.max(0, ...values.slice(0, 2_000).map(decimalsIn)));
}

export const time = (ms: Maybe<number>): string =>
  isNone(ms) ? NONE : new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
export const timeWithSeconds = (ms: number): string =>
  new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

export function duration(ms: Maybe<number>): string {
  if (isNone(ms)) return NONE;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

type Property = string | Maybe<boolean> | ((event: Event) => void);

/** `el('p', { class: 'sub' }, 'text', child)`; properties that are functions listen to events. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Record<string, Property> = {},
  ...children: Maybe<Node | string>[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (!isNone(value) && value !== false)
      element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => !isNone(child)));
  return element;
}
