/** A bot's metrics: what its state has is read with each scrape, the rest comes through the port of env. */
export { meterLink } from './meterLink.ts';
export { meterStore } from './meterStore.ts';
export { loadMetrics, openMetricsPage, withMetrics, type MetricsPage } from './openMetrics.ts';
export type { PrometheusMetrics } from './createPrometheusMetrics.ts';
