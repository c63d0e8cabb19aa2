import type { StreamFrame } from '../../contract/index.ts';

/** An event's data, serialised at most once for any number of subscribers. */
export interface SharedData {
  readonly value: unknown;
  text(): string;
}

/** The peer of a session: a socket, an SSE response, or a caller in the same process. */
export interface StreamPort {
  /** `headText` is the frame's JSON up to its event: `{"channel":…,"params":…,"event":`. */
  frame(frame: StreamFrame, data: SharedData, headText: string): void;
  /** Acks, errors and results. */
  control(message: Readonly<Record<string, unknown>>): void;
  close(code: number, reason: string): void;
}

export function shareData(value: unknown): SharedData {
  return new LazyText(value);
}

class LazyText implements SharedData {
  readonly value: unknown;
  #text: string | null = null;

  constructor(value: unknown) {
    this.value = value;
  }

  text(): string {
    return (this.#text ??= JSON.stringify(this.value));
  }
}

/** The frame's JSON, assembled from its shared parts. */
export function frameText(frame: StreamFrame, data: SharedData, headText: string): string {
  const { event, wallet, seq, ts } = frame;
  return `${headText}"${event}","wallet":${JSON.stringify(wallet)},"seq":${seq},"ts":${ts},"data":${data.text()}}`;
}
