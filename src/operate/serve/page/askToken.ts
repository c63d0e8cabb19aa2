// Asks for the token of those who may read; it lives as long as this tab.
import { el } from '../../report/page/format.ts';

const STORED_TOKEN = 'trimtab-read-token';

export function storedToken(): string | null {
  try {
    return sessionStorage.getItem(STORED_TOKEN);
  } catch {
    return null;
  }
}

export function storeToken(token: string): void {
  try {
    sessionStorage.setItem(STORED_TOKEN, token);
  } catch {
    // It is then asked for again with the next load.
  }
}

export interface TokenForm {
  element: HTMLElement;
  /** @param why a token was not accepted; null if none was given */
  ask(why: string | null): void;
  hide(): void;
}

export function tokenForm(onToken: (token: string) => void): TokenForm {
  const input = el('input', {
    type: 'password',
    required: true,
    autocomplete: 'off',
    id: 'read-token',
  });
  const answer = el('p', { role: 'alert', class: 'answer' });
  const form = el(
    'form',
    {},
    el('h1', {}, 'Trimtab'),
    el('label', { class: 'field', for: 'read-token' }, el('span', {}, 'Read token'), input),
    answer,
    el('button', { type: 'submit' }, 'Open'),
  );
  const element = el('main', { class: 'token' }, el('section', { class: 'card' }, form));
  element.hidden = true;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const token = input.value.trim();
    if (!/^[\x21-\x7e]{1,512}$/.test(token)) {
      answer.textContent = 'This is no token: a token has no spaces and no accents.';
      return;
    }
    input.value = '';
    onToken(token);
  });
  return {
    element,
    ask(why) {
      answer.textContent = why ?? '';
      if (!element.hidden) return;
      element.hidden = false;
      input.focus();
    },
    hide: () => (element.hidden = true),
  };
}
