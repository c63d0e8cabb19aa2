/** The part of `pg`'s client that is used here, declared so that the public types don't need that package. */
export interface PgClient {
  connect(): Promise<unknown>;
  query(statement: Statement): Promise<PgResult>;
  end(): Promise<void>;
  /** The process may end although the connection is open. */
  unref?(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
}

export interface Statement {
  /** A named statement is prepared once a connection. */
  name?: string;
  text: string;
  values?: readonly unknown[];
}

export interface PgResult {
  rows: Array<Record<string, unknown>>;
  rowCount: number | null;
}
