/** A journal holds every position, size and price of its account. */
export const OWNER_ONLY = 0o600;
