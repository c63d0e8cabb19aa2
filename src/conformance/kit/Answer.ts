import type { EndpointId } from '../../contract/index.ts';

/** Whatever came back; checks look into it, and what isn't there is undefined. */
// oxlint-disable-next-line typescript/no-explicit-any -- a probe cannot know what a service says
export type Json = any;

/** A complete answer of the service, with the request that it answers. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Json;
  /** The endpoint that was asked, where the request was made from the table. */
  endpoint?: EndpointId;
}

export const codeOf = (answer: Answer): string | undefined => answer.body?.error?.code;
