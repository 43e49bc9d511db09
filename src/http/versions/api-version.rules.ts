// Decides the API version of a request, and converts answers to older versions.
import type { ApiVersions } from '../../contract/versions.js';

export function newestVersion({ known }: Pick<ApiVersions, 'known'>): string {
  const newest = known.at(-1);
  if (newest === undefined) throw new Error('There is no version of the API.');
  return newest;
}

/** Converts an answer to an older version by undoing later changes, latest first. Returns the same value if no change applies. */
export function answerIn(
  version: string,
  operation: string,
  { answer, changes }: { answer: unknown; changes: ApiVersions['changes'] },
): unknown {
  return laterChanges(version, operation, changes).reduceRight<unknown>(
    (older, change) => change.undo(older),
    answer,
  );
}

/** ISO dates compare correctly as strings. */
export function laterChanges(
  version: string,
  operation: string,
  changes: ApiVersions['changes'],
): ApiVersions['changes'] {
  return changes.filter((change) => change.version > version && change.operations.includes(operation));
}
