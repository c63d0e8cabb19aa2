import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { METRICS, PREFIX } from '../../../src/operate/metrics/metricCatalogue.ts';
import { read, root } from '../../sourceFiles.ts';
import { expectPrometheusOnCi, prometheus, prometheusReason } from './findPrometheus.ts';

const run = promisify(execFile);
const folder = join(root, 'deploy/prometheus');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary?: string; description?: string };
}
interface Panel {
  type: string;
  title: string;
  datasource?: { uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: Array<{ expr: string; datasource: { uid: string } }>;
}

const rules = (
  parse(read('deploy/prometheus/trimtab.rules.yaml')) as { groups: Array<{ rules: Rule[] }> }
).groups.flatMap((group) => group.rules);
const board = JSON.parse(read('deploy/grafana/trimtab.json')) as {
  templating: { list: Array<{ name: string; type: string }> };
  panels: Panel[];
};
const targets = board.panels.flatMap((panel) => panel.targets ?? []);

/** The names of a page of metrics: a histogram has three. */
const served = new Set(
  METRICS.flatMap(({ name, type }) =>
    (type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map(
      (end) => `${PREFIX}${name}${end}`,
    ),
  ),
);
const namesIn = (expr: string): string[] => expr.match(/\btrimtab_\w+/g) ?? [];

describe('the rules', () => {
  test.each(rules)('$alert: served metrics, a severity, what it is and what to do', (rule) => {
    const names = namesIn(rule.expr);
    for (const name of names) expect([...served]).toContain(name);
    expect(names.length > 0 || rule.expr.startsWith('up{')).toBe(true);
    expect(['page', 'ticket']).toContain(rule.labels.severity);
    expect(rule.annotations.summary).toMatch(/\{\{ \$labels\.(bot|instance) \}\}/);
    expect(rule.annotations.description).toMatch(/\S.*\.$/);
  });

  test('each is played: it fires, and it is quiet', () => {
    const played = read('deploy/prometheus/trimtab.tests.yaml');
    for (const { alert, labels } of rules)
      expect(played).toContain(`{alertname="${alert}", severity="${labels.severity}"}`);
  });

  expectPrometheusOnCi();
  test.skipIf(prometheus === undefined)(
    `promtool accepts and plays them${prometheusReason}`,
    async () => {
      const check = ['check', 'rules', 'trimtab.rules.yaml'];
      const checked = await run(prometheus!.tool, check, { cwd: folder });
      expect(checked.stdout).toContain(`SUCCESS: ${rules.length} rules found`);
      const tests = ['test', 'rules', 'trimtab.tests.yaml'];
      const { stdout } = await run(prometheus!.tool, tests, { cwd: folder });
      expect(stdout).toContain('SUCCESS');
    },
  );
});

describe('the dashboard', () => {
  test('shows every metric, and none that is not served', () => {
    const shown = new Set(targets.flatMap(({ expr }) => namesIn(expr)));
    for (const name of shown) expect([...served]).toContain(name);
    for (const { name } of METRICS)
      expect(
        [...shown].some((one) => one.startsWith(`${PREFIX}${name}`)),
        name,
      ).toBe(true);
  });

  test('has its rows, and a variable for the data source that every panel uses', () => {
    const titles = board.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(titles).toEqual(['Money', 'Protection', 'Intents', 'Wire', 'Process']);
    expect(board.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['bot', 'query'],
    ]);
    for (const { datasource, expr } of targets) {
      expect(datasource.uid).toBe('${datasource}');
      expect(expr, 'only of the bots that are chosen').toContain('{bot=~"$bot"}');
    }
  });

  test('shows a limit of loss below zero, as the loss is, and what was paid in an hour', () => {
    const exprs = targets.map(({ expr }) => expr);
    expect(exprs).toContain('-trimtab_day_loss_limit{bot=~"$bot"}');
    for (const expr of exprs)
      if (expr.includes('increase(')) expect(expr).toContain('{bot=~"$bot"}[1h])');
  });

  test('no panel covers another', () => {
    const panels = board.panels;
    for (const [at, { gridPos: a, title }] of panels.entries())
      for (const { gridPos: b } of panels.slice(at + 1)) {
        const isApart =
          a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
        expect(isApart, title).toBe(true);
      }
  });
});
