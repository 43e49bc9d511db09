// Changes and plans. Work reads, decides, and commits one plan: a list of changes applied in order in one transaction, all or
// nothing. Each noun defines its kinds of changes beside its tables; rows.ts has the kinds that suit every table.
import type { Writing } from './committer.js';

/** Facts about a committed plan that its author needs. */
export interface Committed {
  /** Row ids of the messages that the plan accepted, in the plan's order. */
  messageIds: number[];
  /** Queues that received messages. */
  queueIds: number[];
  /** Messages whose intent to send the final dot is durable, so their owner may send it. */
  intended: number[];
}

/** A class, so that the compiler rejects a spread copy, which would lose `apply`. */
export abstract class Change {
  abstract readonly kind: string;
  /** Public id of the object that the change creates; null if it creates none. */
  abstract get madeId(): string | null;
  /** True if `apply` reads rows that the group gathers, which the committer then writes first. */
  abstract get readsGathered(): boolean;
  /** Writes the change. Throws a Refusal to undo the whole plan. */
  abstract apply(writing: Writing, committed: Committed): void | Promise<void>;
}

export type Plan = readonly Change[];

/** Creates changes of one kind, and recognizes them. */
interface ChangeKind<Terms extends object> {
  (terms: Terms): Change & Readonly<Terms>;
  is(change: Change): change is Change & Readonly<Terms>;
}

interface KindOptions<Terms> {
  /** Default: true. Frequent kinds that read no gathered row set false. */
  readsGathered?: boolean;
  madeId?: (terms: Terms) => string | null;
}

/** Defines a kind of change by its name and the function that applies it. */
export function defineChange<Terms extends object>(
  kind: string,
  apply: (writing: Writing, terms: Readonly<Terms>, committed: Committed) => void | Promise<void>,
  { readsGathered = true, madeId }: KindOptions<Terms> = {},
): ChangeKind<Terms> {
  class Kind extends Change {
    readonly kind = kind;

    constructor(terms: Terms) {
      super();
      Object.assign(this, terms);
    }

    get madeId(): string | null {
      return madeId?.(termsOf(this)) ?? null;
    }

    get readsGathered(): boolean {
      return readsGathered;
    }

    apply(writing: Writing, committed: Committed): void | Promise<void> {
      return apply(writing, termsOf(this), committed);
    }
  }
  const termsOf = (change: Kind): Terms => change as unknown as Terms; // the constructor copied them
  return Object.assign((terms: Terms) => new Kind(terms) as Change & Readonly<Terms>, {
    is: (change: Change): change is Change & Readonly<Terms> => change instanceof Kind,
  });
}

/** Applies every change in order. A refusal rolls the plan back. */
export async function applyPlan(writing: Writing, plan: Plan): Promise<Committed> {
  const committed: Committed = { messageIds: [], queueIds: [], intended: [] };
  for (const change of plan) {
    if (change.readsGathered) await writing.gathered.flush();
    await change.apply(writing, committed);
  }
  // The work may read the gathered rows next.
  if (!writing.isPlan) await writing.gathered.flush();
  writing.plans?.push(plan);
  return committed;
}
