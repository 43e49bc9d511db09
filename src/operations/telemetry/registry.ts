// The metrics of the telemetry thread, with the values from the main thread.
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MeterBatch } from './meters.js';
import { SERIES, type SeriesName, type SeriesOf } from './series.rules.js';

type Labels = Record<string, string>;

export class MetricsRegistry {
  readonly #registry = new Registry();
  readonly #metrics = new Map<SeriesName, Counter | Gauge | Histogram>(
    (Object.keys(SERIES) as SeriesName[]).map((name) => [name, createMetric(name, this.#registry)]),
  );

  get contentType(): string {
    return this.#registry.contentType;
  }

  apply({ counts, observations, gauges }: MeterBatch): void {
    for (const [name, values] of counts) for (const [labels, by] of values) this.#add(name, labels, by);
    for (const [name, values] of observations) {
      const metric = this.#metrics.get(name);
      if (!(metric instanceof Histogram)) continue;
      for (const [labels, list] of values) {
        const own = metric.labels(labelsOf(name, labels));
        for (const value of list) own.observe(value);
      }
    }
    for (const [name, values] of gauges) {
      const metric = this.#metrics.get(name);
      if (!(metric instanceof Gauge)) continue;
      clear(name, metric);
      for (const [labels, value] of values) metric.set(labelsOf(name, labels), value);
    }
  }

  count(name: SeriesOf<'counter'>, labels: readonly string[], by: number): void {
    this.#add(name, labels, by);
  }

  set(name: SeriesOf<'gauge'>, value: number): void {
    const metric = this.#metrics.get(name);
    if (metric instanceof Gauge) metric.set(value);
  }

  /** Returns the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #add(name: SeriesName, labels: readonly string[], by: number): void {
    const metric = this.#metrics.get(name);
    if (metric instanceof Counter) metric.inc(labelsOf(name, labels), by);
  }
}

function labelsOf(name: SeriesName, values: readonly string[]): Labels {
  return Object.fromEntries(SERIES[name].labels.map((label, i) => [label, values[i] ?? '']));
}

/** Removes the value. The library would set a gauge without labels to 0, although its value is unknown. */
function clear(name: SeriesName, gauge: Gauge): Gauge {
  gauge.reset();
  if (SERIES[name].labels.length === 0) gauge.remove();
  return gauge;
}

function createMetric(name: SeriesName, registry: Registry): Counter | Gauge | Histogram {
  const series = SERIES[name];
  const options = { name, help: series.help, labelNames: [...series.labels], registers: [registry] };
  switch (series.kind) {
    case 'counter':
      return new Counter(options);
    case 'gauge':
      return clear(name, new Gauge(options));
    case 'histogram':
      return new Histogram({ ...options, buckets: [...series.buckets] });
  }
}
