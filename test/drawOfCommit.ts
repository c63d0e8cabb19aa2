/**
 * In `npm test`, and in all that CI runs, fast-check draws by the commit, other cases with each: a run that failed is
 * repeated by its rotation, which the closing line names. A file that is run by its name, and the full run, draw afresh.
 */
import fc from 'fast-check';
import { isPart, rotation } from './tiers.ts';

if (isPart || process.env.CI === 'true')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: rotation });
