/** The program of a shadow's thread. */
import { openThreadSide } from '../../env/index.ts';
import { runShadow } from './runShadow.ts';

await runShadow(openThreadSide());
