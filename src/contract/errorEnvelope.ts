import { z } from 'zod';

/** One field's fault inside `validation_failed`; `path` is dotted (`stop_loss.offset.mult`). */
export interface FieldIssue {
  path: string;
  code: string;
  message: string;
}

/** `{code, message, details}` as REST and WebSocket carry it (ERR-1); unknown codes pass (ERR-2). */
export const serviceFault = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.looseObject({}).nullish(),
});
export type ServiceFault = z.infer<typeof serviceFault>;

/** The error body of every non-2xx answer (AUTH-7, conventions §1). */
export const errorEnvelope = z.looseObject({ error: serviceFault, request_id: z.string() });
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
