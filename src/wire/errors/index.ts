/** An answer → the typed exception of its code; refusals, transport failures and unexpected answers are distinct. */
export * from './faultFamilies.ts';
export * from './ServiceFaultError.ts';
export * from './toServiceError.ts';
export * from './transportErrors.ts';
export * from './UnsendableValueError.ts';
