// Counters of the main thread, as plain numbers in memory. The counts since the last batch go to the telemetry thread, which has
// the registry.
import { MAX_LABEL_SETS, type SeriesName, type SeriesOf } from './series.rules.js';

const SEPARATOR = '\u0000';
/** Observations of one label set that are kept until the next batch. The busiest server has fewer in a second. */
const MAX_OBSERVATIONS = 20_000;

type Labelled<T> = [labels: readonly string[], value: T];
type Part<T> = [name: SeriesName, values: Labelled<T>[]][];

export interface MeterBatch {
  /** Counts to add. */
  counts: Part<number>;
  observations: Part<number[]>;
  /** All current values of the named series. */
  gauges: Part<number>;
}

export class Meters {
  readonly #counts = new Map<SeriesName, Map<string, number>>();
  readonly #observations = new Map<SeriesName, Map<string, number[]>>();
  readonly #gauges = new Map<SeriesName, Map<string, number>>();
  /** Label sets that were ever used, because the registry never forgets them. */
  readonly #known = new Map<SeriesName, Set<string>>();

  count(name: SeriesOf<'counter'>, labels: readonly string[] = [], by = 1): void {
    const key = this.#keyOf(name, labels);
    if (key === null) return;
    const values = valuesOf(this.#counts, name);
    values.set(key, (values.get(key) ?? 0) + by);
  }

  observe(name: SeriesOf<'histogram'>, labels: readonly string[], value: number): void {
    const key = this.#keyOf(name, labels);
    if (key === null) return;
    const values = valuesOf(this.#observations, name);
    const list = values.get(key);
    if (list === undefined) values.set(key, [value]);
    else if (list.length < MAX_OBSERVATIONS) list.push(value);
    else this.count('mailkeel_telemetry_dropped_total', ['observations']);
  }

  /** Replaces all values of the series. */
  gauge(name: SeriesOf<'gauge'>, values: readonly Labelled<number>[]): void {
    const kept = values
      .slice(0, MAX_LABEL_SETS)
      .map(([labels, value]): [string, number] => [labels.join(SEPARATOR), value]);
    this.#gauges.set(name, new Map(kept));
  }

  /** Sets one value of the series. */
  set(name: SeriesOf<'gauge'>, labels: readonly string[], value: number): void {
    valuesOf(this.#gauges, name).set(labels.join(SEPARATOR), value);
  }

  /** Returns the counts since the last call, and the current gauges. */
  drain(): MeterBatch {
    const batch = {
      counts: partOf(this.#counts),
      observations: partOf(this.#observations),
      gauges: partOf(this.#gauges),
    };
    this.#counts.clear();
    this.#observations.clear();
    return batch;
  }

  /** Drops observations, so that they do not accumulate while no metrics are requested. */
  dropObservations(): void {
    this.#observations.clear();
  }

  /** Returns `null` for a new label set if the series has too many. */
  #keyOf(name: SeriesName, labels: readonly string[]): string | null {
    const key = labels.length === 1 ? (labels[0] ?? '') : labels.join(SEPARATOR);
    let known = this.#known.get(name);
    if (known === undefined) this.#known.set(name, (known = new Set()));
    if (known.has(key)) return key;
    if (known.size >= MAX_LABEL_SETS) {
      this.count('mailkeel_telemetry_dropped_total', ['labels']);
      return null;
    }
    known.add(key);
    return key;
  }
}

function valuesOf<T>(all: Map<SeriesName, Map<string, T>>, name: SeriesName): Map<string, T> {
  let values = all.get(name);
  if (values === undefined) all.set(name, (values = new Map<string, T>()));
  return values;
}

function partOf<T>(all: ReadonlyMap<SeriesName, ReadonlyMap<string, T>>): Part<T> {
  return [...all].map(([name, values]) => [
    name,
    [...values].map(([key, value]): Labelled<T> => [key === '' ? [] : key.split(SEPARATOR), value]),
  ]);
}
