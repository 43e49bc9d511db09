// The registry of the telemetry thread: the series with the values that came from the main thread.
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MeterBatch } from './meters.js';
import { SERIES, type SeriesName, type SeriesOf } from './series.rules.js';

type Labels = Record<string, string>;

export interface MetricsRegistry {
  readonly contentType: string;
  apply(batch: MeterBatch): void;
  count(name: SeriesOf<'counter'>, labels: readonly string[], by: number): void;
  set(name: SeriesOf<'gauge'>, value: number): void;
  /** The text format of Prometheus. */
  text(): Promise<string>;
}

export function createMetricsRegistry(): MetricsRegistry {
  const registry = new Registry();
  const metrics = new Map<SeriesName, Counter | Gauge | Histogram>(
    (Object.keys(SERIES) as SeriesName[]).map((name) => [name, metricOf(name, registry)]),
  );

  function labelsOf(name: SeriesName, values: readonly string[]): Labels {
    return Object.fromEntries(SERIES[name].labels.map((label, i) => [label, values[i] ?? '']));
  }

  function count(name: SeriesName, labels: readonly string[], by: number): void {
    const metric = metrics.get(name);
    if (metric instanceof Counter) metric.inc(labelsOf(name, labels), by);
  }

  return {
    contentType: registry.contentType,
    apply({ counts, observations, gauges }) {
      for (const [name, values] of counts) for (const [labels, by] of values) count(name, labels, by);
      for (const [name, values] of observations) {
        const metric = metrics.get(name);
        if (!(metric instanceof Histogram)) continue;
        for (const [labels, list] of values) {
          const own = metric.labels(labelsOf(name, labels));
          for (const value of list) own.observe(value);
        }
      }
      for (const [name, values] of gauges) {
        const metric = metrics.get(name);
        if (!(metric instanceof Gauge)) continue;
        cleared(name, metric);
        for (const [labels, value] of values) metric.set(labelsOf(name, labels), value);
      }
    },
    count,
    set(name, value) {
      const metric = metrics.get(name);
      if (metric instanceof Gauge) metric.set(value);
    },
    text: () => registry.metrics(),
  };
}

/** Without a value: the library gives a gauge without labels 0, which says something that nobody knows. */
function cleared(name: SeriesName, gauge: Gauge): Gauge {
  gauge.reset();
  if (SERIES[name].labels.length === 0) gauge.remove();
  return gauge;
}

function metricOf(name: SeriesName, registry: Registry): Counter | Gauge | Histogram {
  const series = SERIES[name];
  const options = { name, help: series.help, labelNames: [...series.labels], registers: [registry] };
  switch (series.kind) {
    case 'counter':
      return new Counter(options);
    case 'gauge':
      return cleared(name, new Gauge(options));
    case 'histogram':
      return new Histogram({ ...options, buckets: [...series.buckets] });
  }
}
