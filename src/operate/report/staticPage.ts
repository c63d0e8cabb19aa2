import { escapeHtml, pageShell } from './pageShell.ts';
import { pageStyles } from './pageStyles.ts';

/** A part of a page: its title as text, its body as HTML. */
export interface PageCard {
  title: string;
  body: string;
}

const STYLES = `
svg { display: block; width: 100%; height: auto; font: 11px var(--font); }
svg text { fill: var(--muted); }
svg .axis { stroke: var(--line); }
.wide svg { min-width: 820px; font-size: 12px; }
.wide.long svg { min-width: 1000px; }
.wide:focus-visible, .scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.note { color: var(--muted); margin: 8px 0 0; }
.legend { display: flex; flex-wrap: wrap; gap: 14px; margin-bottom: 8px; }`;

/** One self-contained HTML page without scripts, in the look of the report. */
export function staticPage(page: {
  title: string;
  sub: string;
  cards: readonly PageCard[];
  /** Beside those of every page. */
  styles?: string;
}): string {
  const cards = page.cards.map(
    ({ title, body }) =>
      `<section class="card"><div class="card-head"><h2>${escapeHtml(title)}</h2></div>${body}</section>`,
  );
  const head = `<header><div><h1>${escapeHtml(page.title)}</h1><p class="sub">${escapeHtml(page.sub)}</p></div></header>`;
  return pageShell({
    title: page.title,
    scripts: "'none'",
    styles: pageStyles + STYLES + (page.styles ?? ''),
    body: `<main>\n${head}\n${cards.join('\n')}\n</main>`,
  });
}

/**
 * A table of texts; the first column is left, the others right.
 *
 * @param links of the first cells, row by row
 */
export function htmlTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  links: readonly (string | undefined)[] = [],
): string {
  const cells = (tag: 'th' | 'td', row: readonly string[], link?: string): string =>
    row
      .map((text, at) => {
        const shown = escapeHtml(text);
        const inner = at > 0 || link === undefined ? shown : `<a href="${link}">${shown}</a>`;
        return `<${tag}${at === 0 ? '' : ' class="right"'}>${inner}</${tag}>`;
      })
      .join('');
  const body = rows.map((row, at) => `<tr>${cells('td', row, links[at])}</tr>`);
  return `<div class="scroll"><table><thead><tr>${cells('th', head)}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}
