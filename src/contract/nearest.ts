/**
 * Edit distance: letters to insert, drop, replace or swap with a neighbour to turn one word into the
 * other.
 */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(previous[j]! + 1, row[j - 1]! + 1, replaced);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}

/**
 * The known word that was probably meant, or null if none is near enough: more than a third of the
 * letters differ.
 */
export function nearest(word: string, known: readonly string[]): string | null {
  const wanted = word.toLowerCase();
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  if (best === undefined) return null;
  const allowed = Math.max(1, Math.floor(Math.max(word.length, best.candidate.length) / 3));
  return best.distance <= allowed ? best.candidate : null;
}
