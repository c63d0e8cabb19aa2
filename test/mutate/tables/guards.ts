import { tableOf } from '../Patch.ts';

// prettier-ignore
export const guards = tableOf('guards', [
['allowedSymbols.ts', 'only the first entry\'s symbol is examined', 'intent.entries.find((entry) =>', 'intent.entries.slice(0, 1).find((entry) =>'],
['catchUp.ts', 'a leverage that was decided in an outage is set', "|| kind === 'set_leverage'", ''],
['catchUp.ts', 'an opaque intent of an outage passes', 'entries.length > 0 || opaque === true', 'entries.length > 0'],
['catchUp.ts', 'of several exits of an outage each is sent', 'if (cause.isOvertaken !== true) return PASSED;', 'return PASSED;'],
['dailyLoss.ts', 'a loss at the limit still enters', 'value < limit', 'value <= limit'],
]);
