/** Seconds of `20s`, or of systemd's plain `20`. */
export function secondsOf(text: string): number {
  const [, count] = /^(\d+)s?$/.exec(text) ?? [];
  if (count === undefined) throw new Error(`${text} is no number of seconds`);
  return Number(count);
}
