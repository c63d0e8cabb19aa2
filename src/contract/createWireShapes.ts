import type { Translation, WireAnswer, WireRequest } from './createTranslation.ts';
import type { ServiceRequest, ServiceResponse } from './exchange.ts';
import type { EndpointId } from './endpoints.ts';
import type { ClientMessage } from './frames.ts';

/** A subscription in the query of an event stream. */
export interface ChannelWish {
  channel: string;
  params: Readonly<Record<string, unknown>>;
}

/**
 * The shapes on the wire, for services that differ in more than names (DIAL-1). A user's module may
 * replace any of them; each sees the service's own names.
 */
export interface DialectShapes {
  /** Path parameters, query and body of a request. */
  encodeRequest(request: WireRequest): WireRequest;
  /**
   * Status and body of an answer in our shape: records and lists as `records.ts` has them, a refusal as
   * `{error: {code, message, details}, request_id}`. A body without such an envelope is not the service's
   * response, so the outcome of the request is unknown; the same applies if this throws.
   */
  normaliseAnswer(answer: WireAnswer): { status: number; body: unknown };
  /** The text of a subscription, unsubscription or command (STR-7). */
  encodeClientMessage(message: ClientMessage): string;
  /** Turns the service's parsed JSON into the shapes of `frames.ts`. */
  normaliseServerFrame(json: unknown): unknown;
  /** The `channels` of an event stream; undefined leaves it as conventions §5 have it. */
  encodeSseChannels(wishes: readonly ChannelWish[]): string | undefined;
}

/** The dialect's shapes with its names, as the wire uses them: our requests out, our answers back. */
export interface WireShapes extends Pick<
  DialectShapes,
  'encodeClientMessage' | 'normaliseServerFrame'
> {
  /** The request as it is signed and sent. */
  toWire(request: ServiceRequest): ServiceRequest;
  /** @throws whatever the module's function throws */
  fromWire(endpoint: EndpointId, response: ServiceResponse): ServiceResponse;
  /** Subscriptions by the service's names, and the module's text if it provides one. */
  toSse(wishes: readonly ChannelWish[]): readonly ChannelWish[] | string;
}

/** Joins names and functions: names are nearest to us, functions nearest to the wire. */
export function createWireShapes(names: Translation, shapes: Partial<DialectShapes>): WireShapes {
  const { encodeRequest, normaliseAnswer, encodeClientMessage, normaliseServerFrame } = shapes;
  const isPlainRequest = names.isIdentity && encodeRequest === undefined;

  return {
    toWire(request) {
      // The original text is sent if nothing has to change.
      if (isPlainRequest) return request;
      const { endpoint, pathParams, query, body: text } = request;
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const named = names.request({ endpoint, pathParams, query, body });
      const sent = encodeRequest === undefined ? named : encodeRequest(named);
      return {
        ...request,
        pathParams: sent.pathParams,
        query: sent.query,
        body: sent.body === undefined ? '' : JSON.stringify(sent.body),
      };
    },
    fromWire(endpoint, response) {
      const { status, body } = normaliseAnswer?.({ endpoint, ...response }) ?? response;
      return { ...response, status, body: names.toOurs(body) };
    },
    encodeClientMessage(message) {
      const named = names.toTheirs(withIdThere(message, names)) as ClientMessage;
      return encodeClientMessage?.(named) ?? JSON.stringify(named);
    },
    normaliseServerFrame: (json) =>
      names.toOurs(normaliseServerFrame === undefined ? json : normaliseServerFrame(json)),
    toSse(wishes) {
      const named = wishes.map((wish) => names.toTheirs(wish) as ChannelWish);
      return shapes.encodeSseChannels?.(named) ?? named;
    },
  };
}

/** A command's args contain what a path would (STR-6). */
function withIdThere(message: ClientMessage, names: Translation): ClientMessage {
  if (message.op !== 'command') return message;
  const id = message.args?.['id'];
  if (typeof id !== 'string' || names.isIdentity) return message;
  return { ...message, args: { ...message.args, id: names.idThere(id) } };
}
