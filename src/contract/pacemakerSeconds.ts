import { z } from 'zod';

/** Duration of a Pacemaker, seconds. Its minimum is the dialect's `limits.pacemakerMinSeconds`. */
export const pacemakerSeconds = z.int().min(1).max(86_400);

/** For `z.toJSONSchema`: a Pacemaker's duration is published with the service's minimum. */
export const publishPacemakerMinimum =
  (minSeconds: number) =>
  ({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: { minimum?: number } }): void => {
    if (zodSchema === pacemakerSeconds) jsonSchema.minimum = minSeconds;
  };
