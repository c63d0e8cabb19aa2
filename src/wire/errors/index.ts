/** An answer → the typed exception of its code; refusals, transport failures and odd answers apart. */
export * from './faultFamilies.ts';
export * from './ServiceFaultError.ts';
export * from './toServiceError.ts';
export * from './transportErrors.ts';
export * from './UnsendableValueError.ts';
