import type { Lane } from '../../budget/index.ts';
import type { ServiceRequest } from '../../contract/index.ts';
import type { Entry } from '../../guards/index.ts';
import type { Reduction } from '../../intents/IntentEffect.ts';
import type { IntentState } from '../../journal/index.ts';
import type { Emission } from '../../strategy/index.ts';
import type { Meant, Resized } from '../wallet/index.ts';

interface Persisted {
  emission: Emission;
  /** Idempotency key. */
  key: string;
  generation: number;
  attempt: number;
  state: IntentState;
  /** Key of the intent that its ref meant at the decision; a former version does not say it. */
  maker?: string;
  meant?: Meant | undefined;
  /** A later one that the service accepted has set the same: it must not be sent any more. */
  isOvertaken?: boolean;
  /** Why nobody follows what it acts on: it must not be sent any more either. */
  stranded?: string;
}

/** An intent that the journal holds from an earlier process, with the stage it had reached. */
export type PersistedIntent =
  /** Not a byte of it was sent. */
  | (Persisted & {
      stage: 'unsent';
      /** It waited for a maintained row: it has not passed the guards yet. */
      waitsForRow: boolean;
      /** Of its approval; undefined if it has none. */
      lane: Lane | undefined;
      /** Market time of its last step: until then a process was there that tried. */
      leftAt: number;
    })
  /** It may have been executed: these are its exact bytes. */
  | (Persisted & {
      stage: 'sent';
      request: ServiceRequest;
      lane: Lane;
      weight: number;
      /** Exposure that it adds by changing something else. */
      added?: readonly Entry[];
      /** What it closes by making something else larger. */
      reduced?: readonly Reduction[];
      /** The size that it gives to an order that is there. */
      resized?: Resized;
      /** The one name of what it changes, if the request has another. */
      target?: string;
      /** Milliseconds since the first attempt that may have been executed, by the wall or the market. */
      sentForMs: number;
      /** Id of the key that signed the last attempt; absent if the journal has no key. */
      signedBy?: string;
    });
