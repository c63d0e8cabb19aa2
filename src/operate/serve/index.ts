/** The operator's server of a bot: state, metrics and control over HTTP, on this machine by default. */
export { openOperator, type Operator, type OperatorOptions } from './openOperator.ts';
export { serveTravel, type TravelServer } from './serveTravel.ts';
