import type { Dialect, InstrumentRecord, Scope, Tier } from '../../contract/index.ts';
import type { Env } from '../../env/index.ts';
import type { PaperControls } from '../../wire/index.ts';
import type { Actor, RawAsked } from './createActor.ts';
import type { Answer } from './Answer.ts';
import type { StreamProbe } from './createStreamProbe.ts';
import type { Tape } from './createTape.ts';
import type { SilentPointId } from './silentPoints.ts';
import type { Trace } from './Trace.ts';

/** A wallet and a key that a check wants for itself. */
export interface Casting {
  /** USDC; default 100,000. */
  balance?: number;
  scopes?: readonly Scope[];
  tier?: Tier;
  /** An existing connection instead of a new one. */
  wallet?: string;
}

/** A note on a silent point, as a check left it. */
export interface Finding {
  point: SilentPointId;
  text: string;
  isAsExpected: boolean;
}

/** Everything that a check works with. */
export interface Stage {
  dialect: Dialect;
  env: Pick<Env, 'clock' | 'timers' | 'random'>;
  trace: Trace;
  isPaper: boolean;
  isReadOnly: boolean;
  /** The key that the run was given. */
  me: Actor;
  /** A wallet and key of the check's own on a paper service; elsewhere the run's own key. */
  actor(casting?: Casting): Promise<Actor>;
  /** A further key on a wallet of its own; @throws Inconclusive where keys can't be made */
  cast(casting: Casting): Promise<Actor>;
  /** What is not signed: outside `/v1`, or without credentials. */
  plain(asked: Omit<RawAsked, 'signing'>): Promise<Answer>;
  stream(actor: Actor, options?: { wallet?: string }): Promise<StreamProbe>;
  /** Reads the first events of `GET /stream/sse`; see {@link readEvents}. */
  events(
    actor: Actor,
    channels: string,
    enough: (text: string) => boolean,
    meanwhile?: () => Promise<unknown>,
  ): Promise<{ status: number; text: string }>;
  /** @throws Inconclusive where there is no replay */
  readonly tape: Tape;
  /** @throws Inconclusive where there are no controls */
  readonly paper: PaperControls;
  /** The instrument that checks trade; @throws Inconclusive where none was listed */
  readonly instrument: InstrumentRecord;
  /** Share of the usual sizes that the instrument's bars can take, at most 1. */
  readonly scale: number;
  readonly instruments: readonly InstrumentRecord[];
  /** A text that was never used before, for idempotency keys and client ids. */
  unique(): string;
  /** Notes what the service does at a point that the spec leaves open (DIAL-2). */
  found(point: SilentPointId, text: string, isAsExpected: boolean): void;
  /** What was noted until now. */
  readonly findings: readonly Finding[];
}
