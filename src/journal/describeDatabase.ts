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

/** Removes a database's password from a text that a driver or a server produced, however it is spelt there. */
export function withoutPassword(text: string, url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return text.replaceAll(url, 'postgres://…');
  const given = [parsed.password, /[?&]password=([^&#]*)/.exec(url)?.[1] ?? ''];
  const spellings = [url, ...given.flatMap((password) => [password, decoded(password)])];
  return spellings
    .filter((part) => part !== '')
    .reduce((clean, part) => clean.replaceAll(part, '[secret]'), text);
}

/** An address with a lone percent sign is refused by the driver, and its message must be clean as well. */
function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
