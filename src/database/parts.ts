// State that all plans of a transaction share, such as the event chain and counters that are written once.
import type { Engine, Tx } from './engine/engine.js';
import type { GatheredWrites } from './gathered-writes.js';

/** Kind of shared state. `P` is the part of one plan. */
export interface Part<P> {
  /** The committer saves parts in this order. Nodes thus lock rows of several parts in the same order and cannot deadlock. */
  readonly order: number;
  open(tx: Tx, engine: Engine, gathered: GatheredWrites): OpenPart<P>;
}

interface OpenPart<P> {
  forPlan(): P;
  /** The plan succeeded. The committer drops the part of a refused plan. */
  keep(plan: P): void;
  /** Runs once, after the last plan. */
  save(): void | Promise<void>;
}

/** The parts of one transaction. A part is opened when a plan first asks for it. */
export class GroupParts {
  readonly #open = new Map<Part<unknown>, OpenPart<unknown>>();
  readonly #make: <P>(part: Part<P>) => OpenPart<P>;

  constructor(tx: Tx, engine: Engine, gathered: GatheredWrites) {
    this.#make = (part) => part.open(tx, engine, gathered);
  }

  forPlan(): PlanParts {
    return new PlanParts((part) => this.#opened(part));
  }

  async save(): Promise<void> {
    const parts = [...this.#open].sort(([a], [b]) => a.order - b.order);
    for (const [, part] of parts) await part.save();
  }

  /** Returns the state that the transaction's plans left in the part; null if none used it. */
  find<P>(part: Part<P>): P | null {
    return (this.#open.get(part) as OpenPart<P> | undefined)?.forPlan() ?? null;
  }

  #opened<P>(part: Part<P>): OpenPart<P> {
    const known = this.#open.get(part) as OpenPart<P> | undefined; // stored under its own kind
    if (known !== undefined) return known;
    const opened = this.#make(part);
    this.#open.set(part, opened);
    return opened;
  }
}

/** The parts of one plan. */
class PlanParts {
  readonly #parts = new Map<Part<unknown>, { value: unknown; keep: () => void }>();
  readonly #opened: <P>(part: Part<P>) => OpenPart<P>;

  constructor(opened: <P>(part: Part<P>) => OpenPart<P>) {
    this.#opened = opened;
  }

  get<P>(part: Part<P>): P {
    const known = this.#parts.get(part);
    if (known !== undefined) return known.value as P; // stored under its own kind
    const opened = this.#opened(part);
    const value = opened.forPlan();
    this.#parts.set(part, { value, keep: () => opened.keep(value) });
    return value;
  }

  keep(): void {
    for (const { keep } of this.#parts.values()) keep();
  }
}
