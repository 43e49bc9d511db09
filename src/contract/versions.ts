// Dated versions of the API. A change that would break somebody's code gets a date; who asked in an older version goes on being
// answered as then.

/** The oldest first; the last one is what somebody gets who names none. */
export const API_VERSIONS: readonly string[] = ['2026-12-01'];

/** Change of answers by a version, with the way to undo it for callers of an older one. */
export interface VersionChange {
  /** The version that brought it. */
  version: string;
  description: string;
  /** operationIds whose successful answers it concerns. */
  operations: readonly string[];
  /** An answer of that version as it was before. */
  undo: (answer: unknown) => unknown;
}

/** Of all versions, in the order in which they came. */
export const VERSION_CHANGES: readonly VersionChange[] = [];

export interface ApiVersions {
  known: readonly string[];
  changes: readonly VersionChange[];
}
