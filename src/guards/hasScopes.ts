import { PASSED, type Guard } from './Guard.ts';

/** AUTH-4: what the key cannot do is refused before it costs weight. Null: scopes are not known. */
export const hasScopes: Guard = (intent, snapshot) => {
  const missing = intent.scopes.find((scope) => snapshot.keyScopes?.includes(scope) === false);
  if (missing === undefined) return PASSED;
  return {
    passed: false,
    guard: 'has_scopes',
    reason: `the key lacks the scope ${missing}, or the plugin does not declare it`,
  };
};
