import { SCOPES, type Scope, type ServiceFault } from '../../contract/index.ts';

/** AUTH-4: a 403 names the scope that the key lacks; retrying costs weight and achieves nothing. */
export function learnScope(refused: Set<Scope>, { code, details }: ServiceFault): void {
  if (code !== 'insufficient_scope') return;
  const scope = SCOPES.find((known) => known === details?.['required_scope']);
  if (scope !== undefined) refused.add(scope);
}
