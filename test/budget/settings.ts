/** A shared key of a thousand, of which 900 may be used and 270 are reserved for exits. */
export const SETTINGS = {
  limit: 1_000,
  windowMs: 60_000,
  share: 0.9,
  reserveShare: 0.3,
  reserveFloor: 40,
};
