/** The page's style sheet: two themes, one set of names. Gains and losses differ in more than hue. */
const DARK = `
  color-scheme: dark;
  --ground: #101418; --card: #171c22; --line: #2a323b; --grid: #1e252d; --hover: #2a3947;
  --text: #e6eaee; --muted: #93a0ad; --accent: #5aa2ff;
  --gain: #3ecf9a; --loss: #ff8c82; --loss-fill: rgba(255, 123, 114, 0.28); --accent-fill: rgba(90, 162, 255, 0.22);
  --candle-up: #5f8f86; --candle-down: #9a6a6c;`;

const LIGHT = `
  color-scheme: light;
  --ground: #f4f6f8; --card: #ffffff; --line: #d9dfe5; --grid: #eef1f4; --hover: #dbe8f7;
  --text: #17202a; --muted: #5d6b79; --accent: #1663c7;
  --gain: #0b8457; --loss: #c9302c; --loss-fill: rgba(201, 48, 44, 0.2); --accent-fill: rgba(22, 99, 199, 0.14);
  --candle-up: #7fb3a8; --candle-down: #d09a9a;`;

export const pageStyles = `
:root { --font: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${DARK} } }
:root[data-theme="dark"] { ${DARK} }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 14px/1.45 var(--font); }
main { max-width: 1360px; margin: 0 auto; padding: 28px 24px 40px; display: grid; gap: 16px; }
main > * { min-width: 0; }
header { display: flex; justify-content: space-between; align-items: flex-start; gap: 16px; }
h1 { margin: 0; font-size: 24px; letter-spacing: -0.01em; }
h2 { margin: 0; font-size: 14px; font-weight: 600; }
h3 { margin: 14px 0 4px; font-size: 12.5px; font-weight: 600; }
.sub { margin: 4px 0 0; color: var(--muted); }
.whole { display: inline-block; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; }
.card-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 8px 16px; margin-bottom: 10px; }
.controls, .under { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; }
.under { justify-content: space-between; margin-bottom: 6px; min-height: 26px; }
.chart { position: relative; width: 100%; }
.tiles { display: flex; flex-wrap: wrap; gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.tile { flex: 1 1 230px; background: var(--card); padding: 12px 16px; display: grid; gap: 2px; align-content: start; }
.tile .label, .tile .note { color: var(--muted); font-size: 12px; }
.tile b { font-size: 20px; font-weight: 600; letter-spacing: -0.01em; font-variant-numeric: tabular-nums; }
b.unsure { font-size: 15px; line-height: 29px; color: var(--muted); letter-spacing: 0; }
.gain { color: var(--gain); }
.loss { color: var(--loss); }
button, select { font: inherit; font-size: 12px; color: var(--text); background: transparent; border: 1px solid var(--line); border-radius: 6px; padding: 3px 9px; cursor: pointer; }
select { background: var(--card); }
button:hover:not(:disabled) { background: var(--hover); }
button:disabled { opacity: 0.4; cursor: default; }
button:focus-visible, select:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.chip { display: inline-flex; align-items: center; gap: 6px; border-radius: 999px; }
.chip[aria-pressed="false"] { opacity: 0.45; }
.dot { display: inline-block; width: 8px; height: 8px; border-radius: 50%; margin-right: 6px; flex: none; }
.chip .dot { margin-right: 0; }
.value { color: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; white-space: pre; }
.chip .value { color: inherit; }
.under .value { white-space: pre-wrap; }
.tabs { display: inline-flex; flex-wrap: wrap; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.tabs button { border: 0; border-radius: 0; padding: 4px 12px; color: var(--muted); }
.tabs button[aria-selected="true"] { background: var(--hover); color: var(--text); font-weight: 600; }
.scroll { overflow-x: auto; scrollbar-width: thin; }
.table-holder + .table-holder { margin-top: 14px; }
table { width: 100%; border-collapse: collapse; font-size: 12.5px; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: 5px 8px; text-align: left; border-bottom: 1px solid var(--grid); }
th { border-bottom-color: var(--line); font-weight: 500; }
th:first-child, td:first-child { padding-left: 2px; }
th:last-child, td:last-child { padding-right: 2px; }
.right { text-align: right; }
tfoot td { border-top: 1px solid var(--line); border-bottom: 0; font-weight: 600; }
td.wrap { white-space: normal; overflow-wrap: anywhere; min-width: 180px; }
td.tag { white-space: normal; overflow-wrap: anywhere; min-width: 90px; }
td { vertical-align: top; }
.sort { border: 0; padding: 0; color: var(--muted); }
.sort:hover:not(:disabled) { background: none; color: var(--text); }
tr.linked { cursor: pointer; }
tr.linked:hover td, tr.marked td { background: var(--hover); }
tr.linked:focus-visible, .chart:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.tip { position: absolute; left: clamp(4px, calc(var(--x) + 14px), max(4px, 100% - 284px)); z-index: 5; max-width: min(280px, calc(100% - 8px)); padding: 6px 9px; pointer-events: none; white-space: pre-line; overflow-wrap: anywhere; font-size: 12px; background: var(--card); border: 1px solid var(--line); border-radius: 6px; box-shadow: 0 2px 10px rgba(0, 0, 0, 0.25); }
.tip[hidden] { display: none; }
.mark-key { display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 8px 0 0; color: var(--muted); font-size: 12px; }
.mark-key i { font-style: normal; color: var(--text); }
#candle-plots { margin-bottom: 6px; }
@media (max-width: 700px) { #candle-plots { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: thin; padding-bottom: 4px; } #candle-plots .chip { flex: none; } }
.pager { display: flex; align-items: center; justify-content: flex-end; gap: 10px; margin-top: 10px; color: var(--muted); font-size: 12px; }
.figures { margin: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); gap: 0 28px; font-size: 12.5px; font-variant-numeric: tabular-nums; }
.card > .sub, [role="tabpanel"] > .sub { margin: 0 0 8px; }
.table-holder + .sub, .scroll + .sub { margin-top: 8px; }
.figure { display: grid; grid-template-columns: 1fr auto; gap: 2px 12px; padding: 5px 0; border-bottom: 1px solid var(--grid); align-items: baseline; }
.figure dd { margin: 0; text-align: right; }
.figure dt { color: var(--muted); }
.figure .other { grid-column: 2; color: var(--muted); }
.figure .note { color: var(--muted); font-size: 11.5px; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; }
.pair > * { min-width: 0; }
#equity-legend { margin-bottom: 8px; }
@media (max-width: 560px) { main { padding: 20px 12px 32px; } .tile { flex-basis: 150px; } }
@media (max-width: 760px) { .pair { grid-template-columns: 1fr; } }
.chart svg { display: block; font: 11px var(--font); }
.chart svg text { fill: var(--muted); }
.chart svg .grid { stroke: var(--grid); }
.chart svg .axis { stroke: var(--muted); }
.gain-bar { fill: var(--gain); }
.loss-bar { fill: var(--loss); }
.time-bar { fill: var(--accent); }
.gain-dots, .loss-dots { stroke-width: 6; stroke-linecap: round; stroke-opacity: 0.7; fill: none; }
.gain-dots { stroke: var(--gain); }
.loss-dots { stroke: var(--loss); }
.dots { cursor: pointer; }
.gain-dot { background: var(--gain); }
.loss-dot { background: var(--loss); }
.empty { color: var(--muted); margin: 6px 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.assumptions { margin: 0; padding-left: 18px; color: var(--muted); display: grid; gap: 3px; }
footer { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 8px; color: var(--muted); font-size: 12px; overflow-wrap: anywhere; }
a { color: var(--accent); }
@media print { .controls, .pager, #theme { display: none; } .card { break-inside: avoid; } }
`;
