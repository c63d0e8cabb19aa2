/** The operator's server of a bot: state, metrics and control over HTTP, on this machine unless told otherwise. */
export { openOperator, type Operator, type OperatorOptions } from './openOperator.ts';
