// Represents an attempt to reach a mail host, as input to the preflight checks.

/** One attempt to reach a mail host. `not_ours`: this machine does not have the source address. */
export interface ReachFact {
  host: string;
  address: string;
  outcome:
    | { kind: 'reached'; /** First line; `null` if none came in time. */ greeting: string | null }
    | {
        kind: 'failed';
        why: 'refused' | 'timeout' | 'no_network' | 'not_ours' | 'forbidden' | 'other';
        error: string;
      };
}
