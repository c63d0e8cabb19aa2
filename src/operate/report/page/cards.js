// The frame of every part of the page, and toggle buttons.
import { el } from './format.js';

export function card(title, controls, ...body) {
  const head = el(
    'div',
    { class: 'card-head' },
    el('h2', {}, title),
    el('div', { class: 'controls' }, ...controls),
  );
  return el('section', { class: 'card' }, head, ...body);
}

export function toggle(label, pressed, onChange, properties = {}) {
  const button = el('button', {
    type: 'button',
    class: 'chip',
    'aria-pressed': String(pressed),
    ...properties,
  });
  button.append(...[label].flat());
  button.addEventListener('click', () => {
    const next = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(next));
    onChange(next);
  });
  return button;
}
