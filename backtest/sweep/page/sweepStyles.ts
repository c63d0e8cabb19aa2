/** What a sweep's page has beside the report's look: tables as heatmaps, wide pictures, a point at a time. */
export const sweepStyles = `
.wide.small svg { min-width: 640px; max-width: 860px; }
.wide.haloed text { paint-order: stroke; stroke: var(--card); stroke-width: 5px; }
.note.axes { margin: 0 0 2px; }
svg .name { fill: var(--text); font-weight: 600; }
.heat { width: auto; min-width: 50%; border-collapse: separate; border-spacing: 2px; font-size: 13px; }
.heat th, .heat td { padding: 0; border: 0; text-align: center; min-width: 46px; }
.heat th { padding: 6px 8px; color: var(--muted); }
.heat th[scope="row"], .heat thead td { position: sticky; left: 0; background: var(--card); z-index: 1; }
.heat thead td { min-width: 0; }
.heat tbody td { border-radius: 4px; color: var(--text); line-height: 30px; }
.heat td a { display: block; padding: 0 8px; color: inherit; text-decoration: none; }
.heat td a:hover { text-decoration: underline; }
.heat td a:focus-visible { outline-offset: -2px; }
.heat td.best { outline: 2px solid var(--text); outline-offset: -2px; font-weight: 700; }
.heat td.none { background: var(--grid); color: var(--muted); }
.scale { max-width: 320px; margin-bottom: 10px; font-size: 12px; color: var(--muted); }
.scale i { display: block; height: 10px; border-radius: 3px; background: linear-gradient(90deg, color-mix(in srgb, var(--loss) 62%, var(--card)), color-mix(in srgb, var(--loss) 6%, var(--card)) 50%, color-mix(in srgb, var(--gain) 6%, var(--card)) 50%, color-mix(in srgb, var(--gain) 62%, var(--card))); }
.scale div { display: flex; justify-content: space-between; }
.point { display: none; scroll-margin: 30vh; }
.point:target { display: block; margin-top: 10px; padding: 10px 12px; border: 1px solid var(--accent); border-radius: 8px; }
.point h3 { margin: 0 0 4px; font-size: 13.5px; }
.point p { margin: 0 0 4px; }
.point pre { margin: 0; padding: 8px 10px; background: var(--ground); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; font-size: 12px; }
`;
