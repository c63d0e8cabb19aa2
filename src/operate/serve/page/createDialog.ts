// A dialog of the browser's own: it holds the focus, and Escape closes it.
import { el } from '../../report/page/format.ts';
import { holdFocus, wayOf } from './holdFocus.ts';

export interface PageDialog {
  element: HTMLDialogElement;
  /** With other content; the focus goes to the first control in it, or to the button that closes it. */
  open(title: string, ...content: readonly HTMLElement[]): DialogTurn;
  close(): void;
}

/** What was opened last time is another's to replace once something else is shown, or nothing. */
export interface DialogTurn {
  isShown(): boolean;
}

export function createDialog(): PageDialog {
  const title = el('h2', { id: 'dialog-title' });
  const body = el('div', { class: 'dialog-body' });
  const close = el('button', { type: 'button', class: 'close' }, 'Close');
  const head = el('div', { class: 'card-head' }, title, close);
  const element = el('dialog', { 'aria-labelledby': 'dialog-title' }, head, body);
  close.addEventListener('click', () => element.close());
  // A click beside it.
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close();
  });
  // The browser gives the focus back to what opened it, which may be gone by then.
  let way: readonly Element[] = [];
  element.addEventListener('close', () => holdFocus(way));
  let turns = 0;
  return {
    element,
    open(text, ...content) {
      const turn = ++turns;
      title.textContent = text;
      body.replaceChildren(...content);
      if (!element.open) {
        way = wayOf(document.activeElement);
        element.showModal();
      }
      (body.querySelector<HTMLElement>('input, select, textarea') ?? close).focus();
      return { isShown: () => element.open && turn === turns };
    },
    close: () => element.close(),
  };
}
