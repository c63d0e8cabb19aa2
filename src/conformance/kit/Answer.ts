import type { EndpointId } from '../../contract/index.ts';

/** Any response body; checks read its fields, and a missing one is undefined. */
// oxlint-disable-next-line typescript/no-explicit-any -- a probe cannot know what a service says
export type Json = any;

/** A complete response of the service, with its request. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Json;
  /** The endpoint, if the request was built from the table. */
  endpoint?: EndpointId;
}

export const codeOf = (answer: Answer): string | undefined => answer.body?.error?.code;
