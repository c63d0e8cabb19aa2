// Joins the page to a bot as it was.
import { el } from '../../report/page/format.ts';
import { storedTheme } from '../../report/page/theme.ts';
import type { CandlesView, WholeView } from '../../state/BotView.ts';
import { browserPorts } from './browserPorts.ts';
import { createClient } from './createClient.ts';
import { createDialog } from './createDialog.ts';
import { createPage } from './createPage.ts';
import { explainDialog } from './explainDialog.ts';
import { travelBar, type PastAbout } from './travelBar.ts';

interface PastState {
  before: number | null;
  after: number | null;
  view: WholeView;
}

const pastTheme = storedTheme();
if (pastTheme !== null) document.documentElement.dataset['theme'] = pastTheme;

const pastClient = createClient(() => null, browserPorts);
const pastDialog = createDialog();
const alertLine = el('p', { role: 'alert', class: 'link-alert' });
const dashboardOfPast = el('div', { id: 'dashboard' });
document.getElementById('page')!.replaceChildren(dashboardOfPast, pastDialog.element);

/** In the address, so that an instant can be named to others. */
const timeInAddress = (): number | undefined => {
  const given = /^#at=(\d{1,14})$/.exec(location.hash)?.[1];
  return given === undefined ? undefined : Number(given);
};

async function begin(): Promise<void> {
  const answer = await pastClient.get<PastAbout>('/api/travel');
  if (!answer.ok) {
    dashboardOfPast.replaceChildren(alertLine);
    alertLine.textContent = answer.message;
    return;
  }
  const about = answer.value;
  let shownAt = about.until;
  let wantedAt: number | undefined;
  let isReading = false;

  const bar = travelBar(about, { ports: browserPorts, onTime: (time) => void goTo(time) });
  const page = createPage(
    dashboardOfPast,
    {
      onExplain: explainDialog(pastDialog, pastClient),
      onDay: () => {},
      onCommand: () => {},
      async readCandles(symbol) {
        const path = `/api/candles?symbol=${encodeURIComponent(symbol)}&at=${shownAt}`;
        const candles = await pastClient.get<CandlesView>(path);
        return candles.ok ? candles.value : undefined;
      },
    },
    [el('div', { class: 'link' }, alertLine), bar.element],
  );

  /** One at a time: of the times between, while a slider moves, only the last is read. */
  async function goTo(time: number): Promise<void> {
    wantedAt = time;
    if (isReading) return;
    isReading = true;
    while (wantedAt !== undefined) {
      const at: number = wantedAt;
      wantedAt = undefined;
      const read = await pastClient.get<PastState>(`/api/state?at=${at}`);
      alertLine.textContent = read.ok ? '' : `${read.message} Is trimtab view still running?`;
      if (!read.ok) break;
      shownAt = at;
      const { view, before, after } = read.value;
      const { wall_time: wall } = view;
      page.show(view, { market: about.source === 'recording' ? at : view.time, wall });
      bar.show(at, { before, after });
      history.replaceState(null, '', `#at=${at}`);
      document.title = `${about.name} at ${new Date(at).toISOString()}`;
      document.documentElement.dataset['ready'] = 'true';
    }
    isReading = false;
  }
  await goTo(Math.min(about.until, Math.max(about.from, timeInAddress() ?? about.until)));
}
void begin();
