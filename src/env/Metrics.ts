/** Labels of a metric: few values each. */
export type Labels = Readonly<Record<string, string>>;

/** Metrics as a port; the operating side decides where they go. */
export interface Metrics {
  count(name: string, labels?: Labels, by?: number): void;
  observe(name: string, value: number, labels?: Labels): void;
}

export const noMetrics: Metrics = { count: () => {}, observe: () => {} };
