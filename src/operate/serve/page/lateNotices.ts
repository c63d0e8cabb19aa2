// What came of a command after its form was closed: nobody would hear of it otherwise.
import { el } from '../../report/page/format.ts';

export interface LateNotices {
  element: HTMLElement;
  report(text: string): void;
}

/** Lines of the page, each until it is dismissed. */
export function lateNotices(): LateNotices {
  const element = el('div', { role: 'alert', class: 'late' });
  return {
    element,
    report(text) {
      const line = el('p', {}, el('span', {}, text));
      const dismiss = (): void => line.remove();
      line.append(el('button', { type: 'button', click: dismiss }, 'Dismiss'));
      element.append(line);
    },
  };
}
