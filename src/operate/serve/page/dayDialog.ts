// What the bot did on one day, from its journal.
import { el } from '../../report/page/format.ts';
import type { Client } from './createClient.ts';
import type { PageDialog } from './createDialog.ts';

/** Opens at once with a day, and is filled when the bot has answered; another day may be chosen. */
export function dayDialog(dialog: PageDialog, client: Client): (day: string) => void {
  let asked = 0;
  return (today) => {
    const day = el('input', { type: 'date', value: today, max: today, required: true });
    const label = el('label', { class: 'field' }, el('span', {}, 'Day (UTC)'), day);
    const text = el('pre', {
      tabindex: '0',
      'aria-label': 'Report of the day',
      'aria-live': 'polite',
    });
    const read = async (): Promise<void> => {
      if (day.value === '') return;
      const turn = ++asked;
      text.textContent = 'Reading the journal …';
      const answer = await client.getText(`/api/report?day=${encodeURIComponent(day.value)}`);
      if (turn === asked) text.textContent = answer.ok ? answer.value : answer.message;
    };
    day.addEventListener('change', () => void read());
    dialog.open('Report of a day', label, text);
    void read();
  };
}
