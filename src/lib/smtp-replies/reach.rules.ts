// The outcome of an attempt to reach a mail host, as a value that the preflight checks decide by.

/** One try to reach a mail host. `not_ours`: the source address is not one of this machine's. */
export interface ReachFact {
  host: string;
  address: string;
  outcome:
    | { kind: 'reached'; /** First line; null when none came in time. */ greeting: string | null }
    | {
        kind: 'failed';
        why: 'refused' | 'timeout' | 'no_network' | 'not_ours' | 'forbidden' | 'other';
        error: string;
      };
}
