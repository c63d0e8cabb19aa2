import type { PaperSettings } from '../paper/server/PaperSettings.ts';

/** Id of the paper service's default connection. */
export const DEFAULT_WALLET = 'main';

export function walletOf(strategy: { wallet?: string | undefined }): string {
  return strategy.wallet ?? DEFAULT_WALLET;
}

/** Ids of the paper service's connections: the default one, then a slug of each label. */
export function walletsOf(paper: PaperSettings | undefined): string[] {
  const ids = [DEFAULT_WALLET];
  for (const { label } of paper?.connections ?? []) ids.push(freeId(slug(label), ids));
  return ids;
}

function slug(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

function freeId(wanted: string, taken: readonly string[]): string {
  let id = wanted;
  for (let count = 2; taken.includes(id); count += 1) id = `${wanted}-${count}`;
  return id;
}
