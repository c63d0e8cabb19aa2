import { z } from 'zod';

/** A number of bars, with the bounds of the fourteen indicators. */
export const bars = (value: number, least = 1) => z.int().min(least).max(500).default(value);

/** A positive factor. */
export const factor = (value: number) => z.number().min(0.001).max(100).default(value);

/** The parameters of an indicator that has a length alone. */
export const ofPeriod = (value: number, least = 1) => z.object({ period: bars(value, least) });
