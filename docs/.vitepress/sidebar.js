import { existsSync, readdirSync } from 'node:fs';

const page = (text, link) => ({ text, link });
/** A page an entry, from which all that it exports is reached; a list of all on each page would be most of the site. */
const api = new URL('../api/', import.meta.url);
const entries = existsSync(api)
  ? readdirSync(api, { withFileTypes: true }).filter((item) => item.isDirectory())
  : [];

export const sidebar = [
  page('Start', '/'),
  page('Tutorial', '/tutorial'),
  {
    text: 'How to',
    items: [
      page('Write a plugin', '/how-to/write-a-plugin'),
      page('See each change of a plugin', '/how-to/develop-a-plugin'),
      page('Test a strategy', '/how-to/test-a-strategy'),
      page('Rest orders', '/how-to/rest-orders'),
      page('Define an indicator', '/how-to/define-an-indicator'),
      page('Use an indicator library', '/how-to/use-an-indicator-library'),
      page('Rest orders', '/how-to/rest-orders'),
      page('Keep a pair', '/how-to/keep-a-pair'),
      page('Test a strategy', '/how-to/test-a-strategy'),
      page('Publish a plugin', '/how-to/publish-a-plugin'),
      page('Run a plugin in a worker', '/how-to/run-in-a-worker'),
      page('Try a new version', '/how-to/try-a-new-version'),
      page('Paper-trade a replay', '/how-to/paper-trade-a-replay'),
      page('Run the paper service', '/how-to/run-the-paper-service'),
      page('Import market data', '/how-to/import-data'),
      page('Backtest', '/how-to/backtest'),
      page('Run from a program', '/how-to/run-from-a-program'),
      page('Check a bot', '/how-to/check-a-bot'),
      page('Sweep parameters', '/how-to/sweep'),
      page('Record and replay', '/how-to/record-and-replay'),
      page('Explain a decision', '/how-to/explain-a-decision'),
      page('Go live', '/how-to/go-live'),
      page('Watch a bot', '/how-to/watch-a-bot'),
      page('Monitor a bot', '/how-to/monitor-a-bot'),
      page('Deploy a bot', '/how-to/deploy'),
      page('Stop and kill', '/how-to/stop-and-kill'),
      page('Recover and settle', '/how-to/recover-and-settle'),
      page('Back up a journal', '/how-to/back-up-a-journal'),
      page('Set fees and funding', '/how-to/set-fees-and-funding'),
      page('Use another dialect', '/how-to/use-another-dialect'),
    ],
  },
  {
    text: 'Examples',
    items: [
      page('All ten', '/examples/'),
      page('EMA trend', '/examples/emaTrend'),
      page('Directional trend', '/examples/directionalTrend'),
      page('Hull trend', '/examples/hullTrend'),
      page('Breakout', '/examples/breakout'),
      page('Bollinger reversion', '/examples/bollingerReversion'),
      page('Accumulator', '/examples/accumulator'),
      page('Pair trader', '/examples/pairTrader'),
      page('Funding carry', '/examples/fundingCarry'),
      page('Grid trader', '/examples/gridTrader'),
      page('Market maker', '/examples/marketMaker'),
    ],
  },
  page('Operations', '/operations'),
  {
    text: 'Reference',
    items: [
      page('Plugins', '/reference/plugin'),
      page('Algorithms', '/reference/algorithms'),
      page('Configuration', '/reference/configuration'),
      page('Command line', '/reference/command-line'),
      page('Errors', '/errors'),
      page('Fees', '/fees'),
      page('Metrics', '/reference/metrics'),
      page('Indicators', '/reference/indicators'),
      page('technicalindicators', '/reference/technicalindicators'),
      page('Dialect', '/reference/dialect'),
    ],
  },
  {
    text: 'API',
    items: entries.map(({ name }) => page(name.replace('-', '/'), `/api/${name}/`)),
  },
  {
    text: 'Project',
    items: [
      page('Readme', '/project/readme'),
      page('Architecture', '/project/architecture'),
      page('Decisions', '/project/decisions'),
      page('Contributing', '/project/contributing'),
      page('Security', '/project/security'),
      page('Change log', '/project/changelog'),
    ],
  },
];
