/** A file that a sweep needs, named by its content. */
export interface SweepObject {
  /** Relative to the folder that holds all of them, with `/`. */
  path: string;
  /** SHA-256 of its bytes, in hex. */
  digest: string;
  bytes: number;
  /** `file:`, `http:` or `https:`; who has the plan may read it. */
  url: string;
}

/** Where a sweep's code and data are. */
export interface SweepContent {
  /** The code: a packed folder. */
  code: SweepObject;
  feeds: readonly SweepObject[];
  /** The configuration in the folder. */
  config: string;
  /** The folder of the lock file whose packages are to be installed, in the folder; null without packages. */
  packages: string | null;
  /** For a server that asks for one. */
  token: string | null;
}
