import { escapeHtml } from '../../src/operate/report/index.ts';

const STYLES = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; height: 100vh; display: flex; flex-direction: column; font: 13px/1.45 system-ui, sans-serif; }
header { padding: 8px 16px; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
header p { margin: 0; }
#figures { display: flex; flex-wrap: wrap; gap: 2px 20px; margin: 4px 0 0; padding: 0; list-style: none; }
#figures b { font-variant-numeric: tabular-nums; }
#figures .before { opacity: 0.7; }
#fault { margin: 8px 0 0; padding: 8px 12px; white-space: pre-wrap; overflow: auto; max-height: 40vh;
  border-left: 4px solid #d33; background: color-mix(in srgb, #d33 12%, transparent); font: 12px/1.5 ui-monospace, monospace; }
#fault:empty { display: none; }
iframe { flex: 1; width: 100%; border: 0; }
.old iframe { opacity: 0.45; }
`;

/** The frame around the report: the figures, what changed, and a fault; filled by {@link devScript}. */
export function devPage(bot: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(bot)}</title>
<style>${STYLES}</style>
</head>
<body>
<header>
<p id="status" role="status"></p>
<ul id="figures"></ul>
<pre id="fault" role="alert"></pre>
</header>
<iframe id="report" title="Report"></iframe>
<script src="/page.js"></script>
</body>
</html>
`;
}

/** Text goes in as text, never as HTML; the report stays at its place when it is loaded again. */
export const devScript = `'use strict';
const element = (id) => document.getElementById(id);
const frame = element('report');
let shown = 0;

function item({ name, now, before }) {
  const line = document.createElement('li');
  const value = document.createElement('b');
  value.textContent = now;
  line.append(name + ' ', value);
  if (before !== undefined) {
    const was = document.createElement('span');
    was.className = 'before';
    was.textContent = ' (' + before + ')';
    line.append(was);
  }
  return line;
}

function describe({ run, status, changed, bars, tookMs }) {
  const cause = changed.length === 0 ? '' : ' after a change of ' + changed.join(', ');
  if (status === 'running') return 'Run ' + run + cause + ' …';
  if (status === 'fault') return 'Run ' + run + cause + ' has a fault';
  return 'Run ' + run + cause + ': ' + bars.toLocaleString('en-US') + ' bars, ' + Math.round(tookMs) + ' ms';
}

// After a failed load the frame has the browser's error page, which no script may read. The next report replaces it.
function whenDrawn(then) {
  const root = frame.contentDocument?.documentElement;
  if (root === undefined) return;
  const isDrawn = () => root.dataset.ready === 'true';
  if (isDrawn()) return then();
  const observer = new MutationObserver(() => {
    if (!isDrawn()) return;
    observer.disconnect();
    then();
  });
  observer.observe(root, { attributes: true });
}

function refresh(report) {
  if (report === shown) return;
  const at = shown === 0 || frame.contentDocument === null ? 0 : frame.contentWindow.scrollY;
  shown = report;
  frame.onload = () => whenDrawn(() => frame.contentWindow.scrollTo(0, at));
  frame.src = '/report?run=' + report;
}

function show(state) {
  const mark = state.status === 'fault' ? '✗ ' : state.status === 'running' ? '… ' : '';
  document.title = mark + state.bot;
  element('status').textContent = [describe(state), ...state.notes].join(' · ');
  element('figures').replaceChildren(...state.rows.map(item));
  element('fault').textContent = state.fault ?? '';
  document.body.classList.toggle('old', state.figuresOf !== state.run);
  if (state.report > 0) refresh(state.report);
}

const events = new EventSource('/events');
events.onmessage = ({ data }) => show(JSON.parse(data));
events.onerror = () => { element('status').textContent = 'trimtab dev has ended.'; };
`;
