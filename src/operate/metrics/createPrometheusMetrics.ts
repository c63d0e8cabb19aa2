import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Labels, Metrics } from '../../env/index.ts';
import { METRICS, PREFIX, type MetricDefinition, type MetricLabel } from './metricCatalogue.ts';

/** The value of a metric for one combination of its labels. */
export interface Sample {
  name: string;
  value: number;
  labels?: Labels;
}

/** The metrics of one bot, in a registry of its own. */
export interface PrometheusMetrics {
  /** For the parts of a bot; a name that the catalogue lacks is ignored, since a metric must not end a bot. */
  readonly port: Metrics;
  /** The page, in Prometheus' text format; what is read from the state is replaced by these samples. */
  render(samples: Iterable<Sample>): Promise<{ type: string; text: string }>;
}

type Instrument = Counter<MetricLabel> | Gauge<MetricLabel> | Histogram<MetricLabel>;

/** @param bot name of the bot, a label of every metric */
export function createPrometheusMetrics(bot: string): PrometheusMetrics {
  const registry = new Registry();
  registry.setDefaultLabels({ bot });
  const instruments = new Map<string, Instrument>();
  for (const definition of METRICS)
    instruments.set(definition.name, createInstrument(definition, registry));
  const ofState = METRICS.filter(({ from }) => from === 'state').map(({ name }) =>
    instruments.get(name)!,
  );
  return {
    port: {
      count(name, labels = {}, by = 1) {
        const known = instruments.get(name);
        if (known instanceof Counter) known.inc(labels, by);
      },
      observe(name, value, labels = {}) {
        const known = instruments.get(name);
        if (known instanceof Histogram) known.observe(labels, value);
      },
    },
    async render(samples) {
      // In one turn, so that another scrape never finds it half done.
      for (const instrument of ofState) {
        instrument.reset();
        // Without labels a reset leaves a 0, which would be taken for a reading.
        instrument.remove({});
      }
      for (const { name, value, labels = {} } of samples) {
        const known = instruments.get(name);
        if (known instanceof Gauge) known.set(labels, value);
        else if (known instanceof Counter) known.inc(labels, value);
      }
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}

function createInstrument(
  { name, type, help, labels, buckets }: MetricDefinition,
  registry: Registry,
): Instrument {
  const about = { name: `${PREFIX}${name}`, help, labelNames: labels, registers: [registry] };
  if (type === 'gauge') return new Gauge(about);
  if (type === 'counter') return new Counter(about);
  return new Histogram({ ...about, buckets: [...buckets!] });
}
