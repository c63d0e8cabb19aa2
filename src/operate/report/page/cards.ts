// The frame of every part of the page, and toggle buttons.
import { el } from './format.ts';

/** A part with a chart: charts measure their containers, so `draw` comes after it is on the page. */
export interface ChartCard {
  section: HTMLElement;
  draw: () => void;
}

export function card(
  title: string,
  controls: readonly HTMLElement[],
  ...body: readonly HTMLElement[]
): HTMLElement {
  const head = el(
    'div',
    { class: 'card-head' },
    el('h2', {}, title),
    el('div', { class: 'controls' }, ...controls),
  );
  return el('section', { class: 'card' }, head, ...body);
}

export function toggle(
  label: string | readonly (Node | string)[],
  pressed: boolean,
  onChange: (pressed: boolean) => void,
): HTMLElement {
  const button = el('button', {
    type: 'button',
    class: 'chip',
    'aria-pressed': String(pressed),
  });
  button.append(...[label].flat());
  button.addEventListener('click', () => {
    const next = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(next));
    onChange(next);
  });
  return button;
}
