import type { Check } from './Check.ts';
import { authChecks } from './auth.ts';
import { requestChecks } from './requests.ts';
import { ruleChecks } from './rule.ts';

/** Every check, family by family, in the order in which they run. */
export const CHECKS: readonly Check[] = [...authChecks, ...requestChecks, ...ruleChecks];
