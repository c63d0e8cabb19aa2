// Says when the bot does not answer, and when it is back.
import { duration, el } from '../../report/page/format.ts';
import type { BrowserPorts } from './browserPorts.ts';
import type { LinkState } from './followEvents.ts';
import { clock } from './tableColumns.ts';

const BACK_MS = 10_000;

export interface LinkBanner {
  element: HTMLElement;
  show(state: LinkState): void;
}

export function linkBanner(ports: BrowserPorts): LinkBanner {
  const alert = el('p', { role: 'alert', class: 'link-alert' });
  const back = el('p', { role: 'status', class: 'link-back' });
  let silentSince: number | undefined;
  let cancel = (): void => {};
  return {
    element: el('div', { class: 'link' }, alert, back),
    show(state) {
      if (state.kind === 'silent') {
        cancel();
        back.textContent = '';
        silentSince = state.since;
        const text = `No answer from the bot since ${clock(state.since)} UTC. What stands below is from then. (${state.reason})`;
        if (alert.textContent !== text) alert.textContent = text;
        return;
      }
      alert.textContent = '';
      if (state.kind === 'open' && silentSince !== undefined) {
        back.textContent = `The bot is back since ${clock(ports.now())} UTC, after ${duration(ports.now() - silentSince)}.`;
        silentSince = undefined;
        cancel = ports.after(BACK_MS, () => (back.textContent = ''));
      }
    },
  };
}
