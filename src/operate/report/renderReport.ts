import { formatTime } from '../progress/formatNumbers.ts';
import { embedData } from './embedData.ts';
import { chartLibrary } from './joinModules.ts';
import { pageScript } from './pageParts.ts';
import { escapeHtml, pageShell } from './pageShell.ts';
import { pageStyles } from './pageStyles.ts';
import type { ReportData } from './ReportData.ts';
import { toPageData } from './toPageData.ts';

/**
 * Renders the report of a run as one self-contained HTML page, for `file://` and mail alike. Its head is there before its
 * script, so that a long run's page shows something while its data is unpacked.
 */
export function renderReport(data: ReportData): string {
  return pageShell({
    title: data.title,
    scripts: "'unsafe-inline'",
    styles: pageStyles,
    body: `<main id="report" data-hash="${escapeHtml(data.hash)}">${head(data)}</main>
<noscript>This report draws its charts and tables with JavaScript.</noscript>
${embedData(toPageData(data))}
<script>${chartLibrary()}</script>
<script type="module">
${pageScript()}
</script>`,
  });
}

function head({ title, generatedFrom, startTime, endTime }: ReportData): string {
  const about = [
    `${generatedFrom} ·`,
    `${formatTime(startTime)} →`,
    `${formatTime(endTime)} UTC`,
  ].map((part) => `<span class="whole">${escapeHtml(part)}</span>`);
  return `<header><div><h1>${escapeHtml(title)}</h1><p class="sub">${about.join(' ')}</p></div></header>`;
}
