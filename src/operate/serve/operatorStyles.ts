/** The operator's page, beside the styles of the report. */
export const operatorStyles = `
:root { --warn: #8a5a00; --alarm: #b3211d; --on-alarm: #ffffff; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { --warn: #f0b35a; --alarm: #b3211d; } }
:root[data-theme="dark"] { --warn: #f0b35a; --alarm: #b3211d; }
[hidden] { display: none !important; }
.warn { color: var(--warn); }
.muted { color: var(--muted); }
.strong { font-weight: 600; }
main.operator { padding-top: 16px; }
.data { display: grid; gap: 16px; }
.data > *, .pair > * { min-width: 0; }
.pair { align-items: start; }
.stale { opacity: 0.7; filter: grayscale(0.85); }
.link { position: sticky; top: 0; z-index: 10; display: grid; }
.link p { margin: 0; padding: 0; }
.link-alert:not(:empty), .link-back:not(:empty) { padding: 10px 14px; border-radius: 8px; margin: 8px 0; font-weight: 600; overflow-wrap: anywhere; }
.link-alert:not(:empty) { background: var(--alarm); color: var(--on-alarm); }
.link-back:not(:empty) { background: var(--card); color: var(--gain); border: 1px solid var(--gain); }
header.bot { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
.title { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 10px; }
.title h1 { overflow-wrap: anywhere; }
.title #theme { margin-left: auto; }
.travel { position: sticky; top: 0; z-index: 9; background: var(--card); border: 1px solid var(--accent); border-radius: 10px; padding: 10px 14px; display: grid; gap: 6px; margin-bottom: 16px; }
.travel-what { margin: 0; font-size: 12.5px; color: var(--muted); overflow-wrap: anywhere; }
.travel-what strong { color: var(--accent); text-transform: uppercase; letter-spacing: 0.04em; }
.travel-steps { display: flex; align-items: center; gap: 8px; }
.travel-steps button { min-width: 34px; }
.travel-steps input { flex: 1; padding: 0; border: 0; accent-color: var(--accent); }
.travel-time { font-weight: 600; font-variant-numeric: tabular-nums; }
.badge { padding: 2px 9px; border-radius: 6px; font-weight: 700; font-size: 12.5px; border: 1px solid currentcolor; }
.badge.live, .badge.alarm { background: var(--alarm); border-color: var(--alarm); color: var(--on-alarm); }
.badge.paper { color: var(--accent); }
.badge.calm { color: var(--gain); }
.gate { margin: 0; color: var(--gain); font-weight: 600; overflow-wrap: anywhere; }
.gate.closed { color: var(--loss); }
.facts { margin: 0; display: flex; flex-wrap: wrap; gap: 4px 22px; font-size: 12.5px; font-variant-numeric: tabular-nums; }
.facts > div { display: flex; gap: 6px; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.card .facts { margin-bottom: 10px; }
table.live { white-space: normal; }
table.live th, table.live .right { white-space: nowrap; }
table.live th { color: var(--muted); font-weight: 500; vertical-align: bottom; }
table.live td.wrap { min-width: 120px; }
table.live td.long { overflow-wrap: anywhere; min-width: 120px; }
table.live code { font-size: 12px; overflow-wrap: anywhere; }
button.in-cell { border: 0; padding: 0; font-size: inherit; font-weight: inherit; color: var(--accent); text-align: inherit; text-decoration: underline; text-underline-offset: 2px; }
button.in-cell:hover:not(:disabled) { background: none; color: var(--text); }
.live-candles { height: 360px; }
#candles .sub { margin: 8px 0 0; font-size: 12px; }
#candle-legend { margin: 0 0 6px; white-space: pre-wrap; }
#events .scroll { max-height: 560px; overflow-y: auto; }
#events td:first-child { white-space: nowrap; }
#events .controls { flex-wrap: wrap; }
input { font: inherit; font-size: 13px; color: var(--text); background: var(--card); border: 1px solid var(--muted); border-radius: 6px; padding: 4px 8px; min-width: 0; }
input:focus-visible, pre:focus-visible, .scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
input::placeholder { color: var(--muted); opacity: 1; }
button.danger { border-color: var(--loss); color: var(--loss); font-weight: 600; }
#control button { padding: 6px 12px; }
.jump { font-size: 12.5px; }
.late p { display: flex; gap: 12px; align-items: center; justify-content: space-between; padding: 10px 14px; border-radius: 8px; margin: 8px 0; font-weight: 600; overflow-wrap: anywhere; background: var(--card); border: 2px solid var(--alarm); }
dialog { color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px; width: min(760px, calc(100vw - 24px)); max-height: calc(100vh - 24px); }
dialog::backdrop { background: rgba(0, 0, 0, 0.5); }
dialog pre { overflow: auto; max-height: 62vh; font-size: 12px; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
dialog h2 { overflow-wrap: anywhere; }
dialog li { overflow-wrap: anywhere; }
dialog .sub { overflow-wrap: anywhere; margin: 0 0 10px; }
form { display: grid; gap: 12px; justify-items: start; }
form p { margin: 0; overflow-wrap: anywhere; }
form button { padding: 6px 14px; }
.field { display: grid; gap: 4px; width: 100%; }
.field span { color: var(--muted); font-size: 12.5px; }
.answer:not(:empty) { color: var(--loss); font-weight: 600; }
main.token { max-width: 420px; }
@media (max-width: 1000px) {
  .pair { grid-template-columns: 1fr; }
  table.live, table.live tbody { display: block; }
  table.live thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.live tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(98px, 1fr)); gap: 6px 14px; padding: 9px 0; border-bottom: 1px solid var(--line); }
  table.live tr:last-child { border-bottom: 0; }
  table.live td { display: block; border: 0; padding: 0; text-align: left; min-width: 0; overflow-wrap: anywhere; white-space: normal; }
  table.live td::before { content: attr(data-label); display: block; color: var(--muted); font-size: 11.5px; font-weight: 400; }
  table.live td.blank { display: none; }
  table.live td.long { grid-column: 1 / -1; }
  table.live td.wrap { min-width: 0; }
  table.live td.right, #events td:first-child { white-space: normal; }
}
@media (max-width: 560px) { .live-candles { height: 280px; } #events .controls { width: 100%; } #events input { flex: 1; } }
`;
