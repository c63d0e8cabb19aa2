import { embedJson } from './embedJson.ts';
import { chartLibrary, pageScript } from './pageParts.ts';
import { pageStyles } from './pageStyles.ts';
import type { ReportData } from './ReportData.ts';
import { escapeHtml } from './staticPage.ts';
import { toPageData } from './toPageData.ts';

/** Refuses every address, should anything in the page ever ask for one. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/** Renders the report of a run as one self-contained HTML page, for `file://` and mail alike. */
export function renderReport(data: ReportData): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<link rel="icon" href="data:,">
<title>${escapeHtml(data.title)}</title>
<style>${pageStyles}</style>
</head>
<body>
<main id="report"></main>
<noscript>This report draws its charts and tables with JavaScript.</noscript>
<script type="application/json" id="report-data">${embedJson(toPageData(data))}</script>
<script>${chartLibrary()}</script>
<script type="module">
${pageScript()}
</script>
</body>
</html>
`;
}
