/**
 * Lengths of time in milliseconds, as epoch time counts them: a UTC day has no leap second. Files of every folder
 * import this one by its path, since the contract's index is published.
 */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
