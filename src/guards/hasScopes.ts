import type { Scope } from '../contract/index.ts';
import { PASSED, type Guard, type GuardVerdict } from './Guard.ts';

/**
 * AUTH-4: what the key cannot do is refused before it costs weight. Null: scopes are not known. What was
 * learned from a 403 applies to entries only: the scope may be back, and an exit is worth trying.
 */
export const hasScopes: Guard = (intent, snapshot) => {
  const missing = intent.scopes.find((scope) => snapshot.keyScopes?.includes(scope) === false);
  if (missing !== undefined) {
    const isUndeclared = snapshot.declaredScopes?.includes(missing) === false;
    return denied(
      isUndeclared
        ? `the plugin does not declare the scope ${missing}: add it to its scopes`
        : `the key lacks the scope ${missing}: make a key that has it`,
    );
  }
  const refused = intent.scopes.find((scope) => snapshot.refusedScopes.has(scope));
  if (refused === undefined || intent.isExit) return PASSED;
  return denied(explainRefused(refused));
};

/** Why entries that need a scope are denied, once the service has refused it. */
export const explainRefused = (scope: Scope): string =>
  `the service refused the scope ${scope}; give it to the key, then trimtab rearm`;

const denied = (reason: string): GuardVerdict => ({ passed: false, guard: 'has_scopes', reason });
