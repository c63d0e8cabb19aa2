import { embedData } from './embedData.ts';
import { chartLibrary, pageScript } from './pageParts.ts';
import { escapeHtml, pageShell } from './pageShell.ts';
import { pageStyles } from './pageStyles.ts';
import type { ReportData } from './ReportData.ts';
import { toPageData } from './toPageData.ts';

/** Renders the report of a run as one self-contained HTML page, for `file://` and mail alike. */
export function renderReport(data: ReportData): string {
  return pageShell({
    title: data.title,
    scripts: "'unsafe-inline'",
    styles: pageStyles,
    body: `<main id="report" data-hash="${escapeHtml(data.hash)}"></main>
<noscript>This report draws its charts and tables with JavaScript.</noscript>
${embedData(toPageData(data))}
<script>${chartLibrary()}</script>
<script type="module">
${pageScript()}
</script>`,
  });
}
