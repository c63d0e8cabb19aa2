import { pageStyles } from '../report/pageStyles.ts';
import { chartLibrary, joinModules } from '../report/joinModules.ts';
import { sendText } from './answer.ts';
import { operatorStyles } from './operatorStyles.ts';
import type { Route } from './Route.ts';

/** The page's modules, each after those that it imports; some are the report's. */
const MODULES = [
  '../report/page/format',
  '../report/page/theme',
  '../report/page/charts',
  '../report/page/cards',
  '../report/page/selectTab',
  '../report/page/tabBar',
  'page/browserPorts',
  'page/applyChange',
  'page/readMessages',
  'page/followEvents',
  'page/createClient',
  'page/PageAsks',
  'page/keyedTable',
  'page/factList',
  'page/headerParts',
  'page/holdFocus',
  'page/rowTones',
  'page/tableColumns',
  'page/tableCards',
  'page/budgetCard',
  'page/eventsCard',
  'page/liveCandles',
  'page/createDialog',
  'page/explainDialog',
  'page/dayDialog',
  'page/commandOutcome',
  'page/commandDialog',
  'page/lateNotices',
  'page/linkBanner',
  'page/askToken',
  'page/createPage',
];
/** What follows a running bot, and what shows a past one. */
const ENTRIES = { live: ['page/main'], past: ['page/travelBar', 'page/travel'] };

/** Holds nothing of the bot: a browser sends no token with an address, so that everyone who reaches it may have it. */
const SHELL = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<title>Trimtab</title>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript.</noscript>
<script src="/lightweight-charts.js"></script>
<script type="module" src="/page.js"></script>
</body>
</html>
`;

/** The operator's page: a few fixed files, read once; nothing of a request's path reaches the disk. */
export function pageRoutes(of: keyof typeof ENTRIES = 'live'): Route[] {
  const modules = [...MODULES, ...ENTRIES[of]].map((name) => `./${name}`);
  const script = 'text/javascript; charset=utf-8';
  const files: readonly (readonly [path: string, type: string, text: string])[] = [
    ['/', 'text/html; charset=utf-8', SHELL],
    ['/page.css', 'text/css; charset=utf-8', pageStyles + operatorStyles],
    ['/page.js', script, joinModules(import.meta.url, modules)],
    ['/lightweight-charts.js', script, chartLibrary()],
  ];
  return files.map(([path, type, text]) => ({
    method: 'GET',
    path,
    access: 'open',
    handle: ({ response }) => sendText(response, { type, text }),
  }));
}
