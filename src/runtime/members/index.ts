/** The strategies of a bot with their sources, their persisted state and their restarts. */
export { createMembers, type Member } from './createMembers.ts';
export { followAssets } from './followAssets.ts';
export { followRefs } from './followRefs.ts';
export { followSymbol } from './followSymbol.ts';
export { followWallet, type Views } from './followWallet.ts';
export { latchLife, releaseLives } from './latchLife.ts';
export { readRefused, type ReadRefusedOptions } from './readRefused.ts';
export { readUnshown, type ReadUnshownOptions } from './readUnshown.ts';
export { showOpen } from './showOpen.ts';
