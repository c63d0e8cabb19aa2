/** Bytes that a sweep needs, named by their content. */
export interface SweepObject {
  /** Its place relative to the folder that holds everything, with `/`. */
  path: string;
  /** SHA-256 of its bytes, in hex. */
  digest: string;
  bytes: number;
}

/** Code and data of a sweep, without where they are. */
export interface SweepFiles {
  /** The code: a packed folder with the configuration, plugins and lock file. */
  code: SweepObject;
  feeds: readonly SweepObject[];
  /** The configuration in the folder. */
  config: string;
  /** The feeds of `--feed`, with paths in the folder. */
  flags: readonly string[];
  /** The folder in it whose lock file names the packages that plugins import; null if there are none. */
  packages: string | null;
}

/** Code and data of a sweep, with the address of each object by its digest: `file:`, `http:` or `https:`. */
export interface SweepContent extends SweepFiles {
  urls: Readonly<Record<string, string>>;
  /** For a server that asks for one; null if none does. */
  token: string | null;
}

/** What can be read of an object on the machine that has it. */
export type ObjectSource = { path: string } | { bytes: Uint8Array };
