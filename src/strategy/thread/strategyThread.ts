/** The program of a strategy's thread. */
import { openThreadSide } from '../../env/index.ts';
import { runInThread } from './runInThread.ts';

await runInThread(openThreadSide());
