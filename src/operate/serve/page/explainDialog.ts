// The explanation of an intent, from the bot's journal.
import { el } from '../../report/page/format.ts';
import type { Client } from './createClient.ts';
import type { PageDialog } from './createDialog.ts';

interface Explained {
  key: string;
  strategy: string;
  kind: string;
  state: string;
  explanation: string;
}

/** Opens at once, and is filled when the bot has answered. */
export function explainDialog(dialog: PageDialog, client: Client): (key: string) => void {
  let asked = 0;
  return (key) => {
    const turn = ++asked;
    dialog.open('Intent', el('p', { class: 'sub' }, 'Reading the journal …'));
    void client.get<Explained>(`/api/intents/${encodeURIComponent(key)}`).then((answer) => {
      if (turn !== asked || !dialog.element.open) return;
      const shown = el('code', {}, key);
      if (!answer.ok) {
        const why =
          answer.status === 404
            ? `There is no explanation: ${answer.message} A journal in memory is its bot's alone; journal.path names a file.`
            : answer.message;
        return dialog.open(
          'Intent',
          el('p', { class: 'sub' }, shown),
          el('p', { role: 'alert' }, why),
        );
      }
      const { strategy, kind, state, explanation } = answer.value;
      const text = el('pre', { tabindex: '0', 'aria-label': 'Explanation' }, explanation);
      dialog.open(`${kind} of ${strategy}: ${state}`, el('p', { class: 'sub' }, shown), text);
    });
  };
}
