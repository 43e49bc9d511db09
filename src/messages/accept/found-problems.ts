// Collects all problems of a request for one answer.
import { fieldsOfRefusal, invalidFields, Refusal, type FieldProblem } from '../../contract/refusal.js';

/** Content fields: a problem of one of them explains that there is nothing to send. */
const CONTENT_FIELDS = ['html', 'text', 'template', 'template_id'];

export interface FoundProblems {
  readonly isEmpty: boolean;
  /** Returns the value, or records a `validation_error` and returns `null`. Throws other errors. */
  check<T>(read: () => T): T | null;
  checkLater<T>(read: () => Promise<T>): Promise<T | null>;
  /** Throws what was noted, if anything: a single refusal as it is, several as one that names each field. */
  end(): void;
}

/** `known`: problems of fields that were found before. */
export function createFoundProblems(known: readonly FieldProblem[]): FoundProblems {
  const refusals: Refusal[] = known.length === 0 ? [] : [invalidFields([...known])];

  function note(error: unknown): null {
    if (!(error instanceof Refusal) || error.type !== 'validation_error') throw error;
    const before = refusals.flatMap(fieldsOf);
    // A field that is wrong by itself is as if it were absent: what follows from that says nothing new.
    const fresh = fieldsOf(error).filter((field) => !isExplained(field, before, error));
    if (fresh.length > 0) refusals.push(error);
    return null;
  }

  return {
    get isEmpty() {
      return refusals.length === 0;
    },
    check(read) {
      try {
        return read();
      } catch (error) {
        return note(error);
      }
    },
    async checkLater(read) {
      try {
        return await read();
      } catch (error) {
        return note(error);
      }
    },
    end() {
      const [only] = refusals;
      if (only === undefined) return;
      throw refusals.length === 1 ? only : invalidFields(refusals.flatMap(fieldsOf));
    },
  };
}

function fieldsOf(refusal: Refusal): FieldProblem[] {
  return fieldsOfRefusal(refusal) ?? [{ path: refusal.param ?? '', message: refusal.message }];
}

function isExplained({ path }: FieldProblem, before: readonly FieldProblem[], { code }: Refusal): boolean {
  const heads = new Set(before.map(headOf));
  if (code === 'content_required') return CONTENT_FIELDS.some((field) => heads.has(field));
  if (code === 'subject_required' && (heads.has('template') || heads.has('template_id'))) return true;
  return heads.has(headOf({ path }));
}

function headOf({ path }: Pick<FieldProblem, 'path'>): string {
  return path.split('.', 1)[0] ?? '';
}
