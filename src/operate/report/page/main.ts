// Assembles the page: head, charts, tables, foot.
import { aboutCard } from './aboutCard.ts';
import { budgetCard } from './budget.ts';
import { candleCard } from './candleCard.ts';
import { drawdownCard } from './drawdownCard.ts';
import { equityCard, showOnEquity } from './equityCard.ts';
import { duration, el, time } from './format.ts';
import { exposureCard } from './exposureCard.ts';
import { figuresCard } from './figuresCard.ts';
import { groupsCard } from './groupsCard.ts';
import { data } from './pageData.ts';
import { algorithmsCard, monthsCard, rollingCard } from './performance.ts';
import { profileCard } from './profileCard.ts';
import { recordCard } from './recordCard.ts';
import { distributionCard, hoursCard, tradeDotsCard } from './shapeCards.ts';
import { shadowCards } from './shadowCards.ts';
import { livesCard, reasonsCard, strategyCard } from './strategyCards.ts';
import { storedTheme, themeButton } from './theme.ts';
import { tiles } from './tiles.ts';

const chosenTheme = storedTheme();
if (chosenTheme !== null) document.documentElement.dataset.theme = chosenTheme;

const equity = equityCard();
const candles = candleCard();
const rolling = rollingCard(data);
const exposure = exposureCard();
const distribution = distributionCard();
const dots = tradeDotsCard();
const hours = hoursCard();
const profile = profileCard();
document
  .getElementById('report')!
  .replaceChildren(
    header(),
    tiles(data),
    equity.section,
    candles.section,
    figuresCard(),
    monthsCard(data),
    drawdownCard(showOnEquity),
    strategyCard(),
    groupsCard(),
    dots.section,
    hours.section,
    rolling.section,
    exposure.section,
    distribution.section,
    ...[algorithmsCard(data), reasonsCard(), livesCard(), budgetCard(data)].filter(
      (section) => section !== null,
    ),
    ...shadowCards(),
    recordCard(),
    ...(profile === null ? [] : [profile.section]),
    aboutCard(),
    footer(),
  );
// Charts measure their containers, so these have to be on the page first; and a reader sees figures meanwhile.
await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
const charts = [
  equity,
  candles,
  rolling,
  exposure,
  distribution,
  dots,
  hours,
  ...(profile === null ? [] : [profile]),
];
for (const { draw } of charts) draw();
document.documentElement.dataset.ready = 'true';

function header(): HTMLElement {
  const about = [
    `${data.generatedFrom} ·`,
    `${time(data.startTime)} →`,
    `${time(data.endTime)} UTC ·`,
    duration(data.endTime - data.startTime),
  ];
  return el(
    'header',
    {},
    el('div', {}, el('h1', {}, data.title), el('p', { class: 'sub' }, ...wholes(about))),
    themeButton(),
  );
}

/** Parts between which a line may end, and in which none does. */
function wholes(parts: readonly string[]): (HTMLElement | string)[] {
  return parts.flatMap((part) => [el('span', { class: 'whole' }, part), ' ']);
}

function footer(): HTMLElement {
  const charts = el(
    'a',
    { href: 'https://www.tradingview.com/', rel: 'noopener noreferrer', target: '_blank' },
    'TradingView Lightweight Charts™',
  );
  return el(
    'footer',
    {},
    el('span', {}, 'hash ', el('code', {}, data.hash)),
    el(
      'span',
      {},
      'Charts: ',
      charts,
      ', Copyright (c) 2026 TradingView, Inc., Apache License 2.0',
    ),
  );
}
