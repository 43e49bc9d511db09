// Dated versions of the API. A breaking change gets a date, and callers of an older version continue to get the old answers.

/** Oldest first. A request without a version gets the last one. */
export const API_VERSIONS: readonly string[] = ['2026-12-01'];

/** A version's change of answers, and how to undo it for callers of an older version. */
interface VersionChange {
  /** Version that introduced the change. */
  version: string;
  description: string;
  /** operationIds of the affected successful answers. */
  operations: readonly string[];
  /** Converts an answer to its previous form. */
  undo: (answer: unknown) => unknown;
}

/** The changes of all versions, in chronological order. */
export const VERSION_CHANGES: readonly VersionChange[] = [];

export interface ApiVersions {
  known: readonly string[];
  changes: readonly VersionChange[];
}
