/** `2024-08-31 08:00`, with seconds unless they are zero. */
export function timeText(time: number): string {
  if (!(Math.abs(time) <= 8.64e15)) return String(time);
  const [date, clock] = new Date(time).toISOString().split('T') as [string, string];
  return `${date} ${clock.replace(/(:00)?\.000Z$/, '').replace('Z', '')}`;
}
