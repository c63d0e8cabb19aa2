/** A wallet's cash is one asset, in which perpetuals settle and on which spot draws (conventions §6). */
export const CASH = 'USDC';

/** A slash means spot, its base before it (conventions §6). */
export const isSpot = (symbol: string): boolean => symbol.includes('/');

/** The asset that a spot symbol trades. */
export const baseOf = (symbol: string): string => symbol.slice(0, symbol.indexOf('/'));
