// Which version of the API a request is answered in, and an answer as that version had it.
import type { ApiVersions } from '../../contract/versions.js';

export function newestVersion({ known }: Pick<ApiVersions, 'known'>): string {
  const newest = known.at(-1);
  if (newest === undefined) throw new Error('There is no version of the API.');
  return newest;
}

/**
 * The answer of an operation as it was in a version: what later versions changed is undone, the latest first. The same
 * value where nothing of it changed since.
 */
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

/** Dates of one form compare as texts. */
export function laterChanges(
  version: string,
  operation: string,
  changes: ApiVersions['changes'],
): ApiVersions['changes'] {
  return changes.filter((change) => change.version > version && change.operations.includes(operation));
}
