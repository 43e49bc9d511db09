// The server's words for a failure.
import { ApiError } from '@mailkeel/sdk';

/** The server's sentence, then those of fields that it does not hold. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) {
    const { sentence, problems } = error;
    const others = problems
      .filter(({ message }) => message !== sentence)
      .map(({ path, message }) => `${path}: ${message}`)
      .filter((problem) => !sentence.includes(problem));
    return [sentence, ...others].join(sentence.endsWith('.') ? ' ' : '; ');
  }
  return error instanceof Error ? error.message : String(error);
}
