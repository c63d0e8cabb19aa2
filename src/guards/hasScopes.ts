import { PASSED, type Guard, type GuardVerdict } from './Guard.ts';

/**
 * AUTH-4: what the key cannot do is refused before it costs weight. Null: scopes are not known. What was
 * learned from a 403 applies to entries only: the scope may be back, and an exit is worth trying.
 */
export const hasScopes: Guard = (intent, snapshot) => {
  const missing = intent.scopes.find((scope) => snapshot.keyScopes?.includes(scope) === false);
  if (missing !== undefined) {
    return denied(`the key lacks the scope ${missing}, or the plugin does not declare it`);
  }
  const refused = intent.scopes.find((scope) => snapshot.refusedScopes.has(scope));
  if (refused === undefined || intent.isExit) return PASSED;
  return denied(`the service refused the scope ${refused}; give it to the key, then trimtab rearm`);
};

const denied = (reason: string): GuardVerdict => ({ passed: false, guard: 'has_scopes', reason });
