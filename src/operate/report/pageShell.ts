/** The frame of every page: one file that opens from disk and blocks every network request. */
export function pageShell(page: {
  title: string;
  /** Scripts that may run, as a content security policy. */
  scripts: "'none'" | "'unsafe-inline'";
  styles: string;
  body: string;
}): string {
  const policy = `default-src 'none'; script-src ${page.scripts}; style-src 'unsafe-inline'; img-src data:`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="Trimtab">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="icon" href="data:,">
<title>${escapeHtml(page.title)}</title>
<style>${page.styles}</style>
</head>
<body>
${page.body}
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
