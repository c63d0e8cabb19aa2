/**
 * DIAL-1: the whole client suite, and the runtime's over the wire, against a service that does everything
 * that the spec leaves open otherwise. The same tests run by the default dialect from their own files.
 */
import { speech } from '../startPaper.ts';

speech.isForeign = true;
await import('../paper.test.ts');
await import('../createCommands.test.ts');
await import('../createEventStream.test.ts');
await import('../../runtime/links/createWireLink.test.ts');
await import('../../runtime/roads.test.ts');
