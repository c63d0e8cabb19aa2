import { CredentialsError } from '../wire/index.ts';

/**
 * Whether the service refuses the key or its secret. A request that it refuses for its time says nothing about either,
 * and the next one is signed by the time that the refusal taught (AUTH-3).
 */
export const refusesKey = (error: unknown): error is CredentialsError =>
  error instanceof CredentialsError && error.code !== 'timestamp_out_of_window';
