// The sentence for a refusal that the dashboard shows.
import { ApiError } from '@mailkeel/sdk';
import { expect, it } from 'vitest';
import { sentenceOf } from '../src/data/sentence.js';

const refused = (message: string, more: { param?: string; fields?: { path: string; message: string }[] }) =>
  new ApiError({
    status: 422,
    code: 'validation_error',
    type: 'validation_error',
    message,
    requestId: null,
    param: more.param ?? null,
    details: more.fields === undefined ? {} : { fields: more.fields },
    retryAfter: null,
  });

it('says once what the server says about one field', () => {
  const message = 'The URL must not use port 0.';
  expect(sentenceOf(refused(message, { param: 'url' }))).toBe(message);
});

it('adds the fields that the sentence does not name', () => {
  const fields = [
    { path: 'name', message: 'is required' },
    { path: 'list_id', message: 'is required' },
  ];
  expect(sentenceOf(refused('name: is required', { param: 'name', fields }))).toBe(
    'name: is required; list_id: is required',
  );
});
