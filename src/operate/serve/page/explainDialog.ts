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
  return (key) => {
    const turn = dialog.open('Intent', el('p', { class: 'sub' }, 'Reading the journal …'));
    void client.get<Explained>(`/api/intents/${encodeURIComponent(key)}`).then((answer) => {
      // It takes the place of no other form; whoever closed it did not want it.
      if (!turn.isShown()) return;
      const shown = el('code', {}, key);
      if (!answer.ok) {
        const why =
          answer.status === 404
            ? `There is no explanation: ${answer.message} A journal in memory is its bot's alone; journal.path names a file.`
            : answer.message;
        dialog.open('Intent', el('p', { class: 'sub' }, shown), el('p', { role: 'alert' }, why));
        return;
      }
      const { strategy, kind, state, explanation } = answer.value;
      const text = el('pre', { tabindex: '0', 'aria-label': 'Explanation' }, explanation);
      dialog.open(`${kind} of ${strategy}: ${state}`, el('p', { class: 'sub' }, shown), text);
    });
  };
}
