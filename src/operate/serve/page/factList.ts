// A list of terms and values that changes in place.
import { el } from '../../report/page/format.ts';
import { setAttribute, setText } from './keyedTable.ts';

export interface Fact {
  label: string;
  text: string;
  tone?: string;
}

export function factList(): { element: HTMLElement; show(facts: readonly Fact[]): void } {
  const element = el('dl', { class: 'facts' });
  const known = new Map<string, HTMLElement>();
  return {
    element,
    show(facts) {
      for (const { label, text, tone = '' } of facts) {
        let value = known.get(label);
        if (value === undefined) {
          value = el('dd');
          known.set(label, value);
          element.append(el('div', {}, el('dt', {}, label), value));
        }
        setText(value, text);
        setAttribute(value, 'class', tone);
      }
    },
  };
}
