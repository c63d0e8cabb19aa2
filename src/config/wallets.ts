import { connectionId } from '../paper/core/createConnections.ts';
import type { PaperSettings } from '../paper/server/PaperSettings.ts';

/** Id of the paper service's default connection. */
const DEFAULT_WALLET = 'main';

export function walletOf(strategy: { wallet?: string | undefined }): string {
  return strategy.wallet ?? DEFAULT_WALLET;
}

/** Ids of the paper service's connections: the default one, then one for each label. */
export function walletsOf(paper: PaperSettings | undefined): string[] {
  const ids = new Set([DEFAULT_WALLET]);
  for (const { label } of paper?.connections ?? []) ids.add(connectionId(label, ids));
  return [...ids];
}
