/** `power`: an append survives a power cut. `process`: it survives a killed process only. */
export type Durability = 'power' | 'process';
