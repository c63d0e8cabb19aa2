/** Spans of intents, for who has registered a provider of OpenTelemetry. */
export { traceIntents } from './traceIntents.ts';
