import { card } from './cards.ts';
import { el, time, whole } from './format.ts';
import { data } from './pageData.ts';
import { dataTable, type Column } from './tables.ts';

type About = NonNullable<typeof data.about>;
type Feed = About['feeds'][number];
type Check = NonNullable<typeof data.check>;

/** What the run was made of: versions, seed, parameters, feeds; assumptions; and what `check` found. */
export function aboutCard(): HTMLElement {
  const { about, check, assumptions } = data;
  const items = assumptions.map((text) => el('li', {}, text));
  return card(
    'About this run',
    [],
    ...(about === null ? [] : aboutRun(about)),
    el('h3', {}, 'Assumptions'),
    el('ul', { class: 'assumptions' }, ...items),
    el('h3', {}, 'Check'),
    ...aboutCheck(check),
  );
}

function aboutRun({ version, node, seed, strategies, feeds }: About): HTMLElement[] {
  type Row = { strategy: string; name: string; value: string };
  const rows = strategies.flatMap(({ name: strategy, params }) =>
    Object.entries(params).map(([name, value]): Row => ({
      strategy,
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  );
  const columns: Column<Row>[] = [
    { label: 'strategy', text: (row) => row.strategy },
    { label: 'parameter', text: (row) => row.name },
    { label: 'value', align: 'wrap', text: (row) => row.value },
  ];
  const feedColumns: Column<Feed>[] = [
    { label: 'symbol', text: (row) => row.symbol },
    { label: 'interval', text: (row) => row.interval },
    { label: 'bars', align: 'right', text: (row) => whole(row.bars), sort: (row) => row.bars },
    { label: 'from (UTC)', text: (row) => time(row.from), sort: (row) => row.from },
    { label: 'until', text: (row) => time(row.until), sort: (row) => row.until },
    { label: 'SHA-256', align: 'wrap', text: (row) => row.sha256 },
  ];
  return [
    el('p', { class: 'sub' }, `Trimtab ${version}, Node ${node}, seed ${seed}`),
    el('h3', {}, 'Parameters'),
    dataTable({ columns, rows, caption: 'Parameters', empty: 'No strategy has parameters.' }),
    el('h3', {}, 'Feeds'),
    dataTable({ columns: feedColumns, rows: feeds, caption: 'Feeds', empty: 'None.' }),
  ];
}

function aboutCheck(check: Check | null): HTMLElement[] {
  if (check === null) {
    const how =
      'Not run. trimtab backtest --check tests the run for look-ahead, short warm-up and chance.';
    return [el('p', { class: 'empty' }, how)];
  }
  type Row = Check['findings'][number];
  const columns: Column<Row>[] = [
    { label: 'check', text: (row) => row.check },
    { label: 'strategy', text: (row) => row.strategy },
    { label: 'bar closed (UTC)', text: (row) => time(row.time), sort: (row) => row.time },
    { label: 'what', align: 'wrap', text: (row) => row.words.join(' ') },
  ];
  const empty = `Nothing found in ${check.runs} backtests.`;
  const notes = check.notes.map((note) => el('li', {}, note));
  return [
    dataTable({ columns, rows: check.findings, caption: 'Findings', empty }),
    el('ul', { class: 'assumptions' }, ...notes),
  ];
}
