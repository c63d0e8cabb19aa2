import { createLiveEnv, type Log } from '../../src/env/index.ts';
import { withCode, type Dialect } from '../../src/contract/index.ts';
import { startPaperServer } from '../../src/paper/index.ts';
import type { ServiceAddress } from '../../src/service/index.ts';
import { paperSettingsOf, requireVenueOptions, type VenueOptions } from './paperSettingsOf.ts';
import { readSpan } from './readSpan.ts';

export interface StartPaperOptions extends VenueOptions {
  dialect?: Dialect;
  /** Seed of random delays (0). */
  seed?: string | number;
  /** Receives the log of the service. Default: none. */
  log?: Log;
}

/** A paper service that listens on this machine; `openService(paper)` connects to it. */
export interface StartedPaper extends ServiceAddress {
  /** Time of the replay, epoch milliseconds. */
  now(): number;
  /** The end of the tape, epoch milliseconds. */
  readonly endTime: number;
  /**
   * Steps the replay, which is paused unless a `speed` is set.
   *
   * @param span `'1h'`, or milliseconds
   * @returns once every frame that results is sent; the time that was reached
   * @throws Error while the replay runs by itself
   */
  advance(span: string | number): Promise<number>;
  /**
   * Replay seconds a second, `'max'`, or 0 for a pause.
   *
   * @throws RangeError for what is none of them
   */
  setSpeed(speed: number | 'max'): void;
  /** Ends connections and the service. */
  close(): Promise<void>;
}

/** See the entry of this folder. */
export async function startPaper(options: StartPaperOptions): Promise<StartedPaper> {
  requireVenueOptions('startPaper', options);
  const { dialect, seed, log, ...given } = options;
  const defaults = { port: 0, paused: given.speed === undefined };
  const { settings, data } = await paperSettingsOf('startPaper', given, defaults);
  const env = createLiveEnv(log === undefined ? {} : { log });
  const about = { settings, data, seed, ...(dialect === undefined ? {} : { dialect }) };
  const { baseUrl, wsUrl, keyId, secret, replay, close } = await startPaperServer(about, env);
  const { end_time: endTime } = replay.record();
  return {
    base_url: baseUrl,
    ws_url: wsUrl,
    key_id: keyId,
    secret,
    now: () => replay.record().time,
    endTime,
    async advance(span) {
      const target = Math.min(replay.record().time + readSpan(span), endTime);
      return (await replay.advance(target)).time;
    },
    setSpeed: (speed) => void replay.setSpeed(requireSpeed(speed)),
    close,
  };
}

function requireSpeed(speed: number | 'max'): number | 'max' {
  if (speed === 'max' || (Number.isFinite(speed) && speed >= 0)) return speed;
  const shown = typeof speed === 'string' ? JSON.stringify(speed) : String(speed);
  const remedy = "give replay seconds a second, 0 for a pause, or 'max'";
  throw withCode('TRIMTAB_USAGE', new RangeError(`setSpeed: ${shown} is no speed: ${remedy}.`));
}
