/** Whether a journal is to be stored in PostgreSQL. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}

/** A database's address for display and logs: without its password, and without parameters. */
export function describeDatabase(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return 'postgres://…';
  const user = parsed.username === '' ? '' : `${parsed.username}@`;
  return `postgres://${user}${parsed.host}${parsed.pathname}`;
}

/** Removes a database's password from a text that a driver or a server produced. */
export function withoutPassword(text: string, url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return text.replaceAll(url, 'postgres://…');
  const { password } = parsed;
  const spellings = [url, password, decodeURIComponent(password)].filter((part) => part !== '');
  return spellings.reduce((clean, part) => clean.replaceAll(part, '[secret]'), text);
}
