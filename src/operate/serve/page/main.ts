// Joins the page to a running bot.
import { el } from '../../report/page/format.ts';
import { storedTheme } from '../../report/page/theme.ts';
import type { CandlesView, WholeView } from '../../state/BotView.ts';
import { storedToken, storeToken, tokenForm } from './askToken.ts';
import { browserPorts } from './browserPorts.ts';
import { commandDialog } from './commandDialog.ts';
import { createClient } from './createClient.ts';
import { createDialog } from './createDialog.ts';
import { createPage } from './createPage.ts';
import { dayDialog } from './dayDialog.ts';
import { explainDialog } from './explainDialog.ts';
import { lateNotices } from './lateNotices.ts';
import { followEvents, SILENT_MS, type LinkState } from './followEvents.ts';
import { linkBanner } from './linkBanner.ts';
import type { Times } from './PageAsks.ts';

const chosenTheme = storedTheme();
if (chosenTheme !== null) document.documentElement.dataset['theme'] = chosenTheme;

const REDRAW_MS = 1_000;

let token = storedToken();
let lastView: WholeView | undefined;
let isSilent = false;
let lastTimes = { time: 0, wall_time: 0, at: 0 };

const client = createClient(() => token, browserPorts);
const dialog = createDialog();
const banner = linkBanner(browserPorts);
const late = lateNotices();
banner.element.append(late.element);
const form = tokenForm((given) => {
  token = given;
  events.again();
});
const dashboard = el('div', { id: 'dashboard' });
dashboard.hidden = true;
document.getElementById('page')!.replaceChildren(form.element, dashboard, dialog.element);

const page = createPage(
  dashboard,
  {
    onExplain: explainDialog(dialog, client),
    onDay: dayDialog(dialog, client),
    onCommand: commandDialog(dialog, {
      client,
      ports: browserPorts,
      late,
      botName: () => lastView?.blocks.bot.name ?? '',
    }),
    async readCandles(symbol) {
      const path = `/api/candles?symbol=${encodeURIComponent(symbol)}`;
      const answer = await client.get<CandlesView>(path);
      return answer.ok ? answer.value : undefined;
    },
  },
  [banner.element],
);

/** The bot's times go on in the page until its silence is certain. */
function timesNow(): Times {
  const passed = Math.min(SILENT_MS, browserPorts.now() - lastTimes.at);
  return { market: lastTimes.time + passed, wall: lastTimes.wall_time + passed };
}

function hear(times: { time: number; wall_time: number }): void {
  lastTimes = { time: times.time, wall_time: times.wall_time, at: browserPorts.now() };
}

function draw(): void {
  if (lastView === undefined) return;
  page.show(lastView, timesNow());
  const { name, kill_level } = lastView.blocks.bot;
  const title = isSilent ? `No answer: ${name}` : `${name} ${kill_level}`;
  if (document.title !== title) document.title = title;
}

function onLink(state: LinkState): void {
  isSilent = state.kind === 'silent';
  banner.show(state);
  page.setStale(isSilent);
  if (state.kind === 'unauthorized') {
    dashboard.hidden = true;
    return form.ask(state.isWrong ? `The token was not accepted. ${state.message}` : null);
  }
  dashboard.hidden = false;
  form.hide();
  if (state.kind === 'open' && token !== null) storeToken(token);
  draw();
}

const events = followEvents({
  ports: browserPorts,
  token: () => token,
  onView(view) {
    lastView = view;
    hear(view);
    draw();
    document.documentElement.dataset['ready'] = 'true';
  },
  onBeat: hear,
  onLink,
});

function tick(): void {
  draw();
  browserPorts.after(REDRAW_MS, tick);
}
tick();
