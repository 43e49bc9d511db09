// Failures as people read them.
import { useCallback } from 'react';
import { ApiError, ConnectionError } from '@mailkeel/sdk';
import { common } from '../texts/common.js';
import { refusals } from '../texts/refusals.js';
import { useTexts } from '../texts/texts.js';
import { sentenceOf } from './sentence.js';

/** Returns the sentence for an error in the person's language if the dashboard has one; otherwise the server's sentence. */
export function useSentence(): (error: unknown) => string {
  const { failure } = useTexts(common);
  const words = useTexts(refusals);
  return useCallback(
    (error: unknown) => {
      if (isOffline(error)) return failure.unsent;
      if (error instanceof ApiError && error.code === 'unauthorized') return failure.signedOut;
      return sentenceOf(error, words);
    },
    [failure, words],
  );
}

/**
 * Returns the problems of a form's fields, by their names in the API: `{email: 'email must be…'}`. Empty if the refusal is not
 * about fields.
 */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const own = error.param === null ? [] : [[error.param, error.sentence] as const];
  return Object.fromEntries([...own, ...error.problems.map(({ path, message }) => [path, message] as const)]);
}

export function isOffline(error: unknown): boolean {
  return error instanceof ConnectionError;
}
