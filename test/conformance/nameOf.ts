/** What was asked for, without what is another one in each run: ids, tokens and queries. */
export function nameOf(method: string, target: string): string {
  const parts = target.split('?')[0]!.split('/');
  const known = parts.map((part, at) =>
    at > 2 && (/\d/.test(part) || parts[2] === 'hooks') ? '…' : part,
  );
  return `${method} ${known.join('/')}`;
}
