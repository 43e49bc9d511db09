// Tests the sentence that the dashboard shows for a refusal.
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

const words = { codes: { validation_error: 'Check the form.' }, fields: { name: 'Name' } };

it("shows the server's sentence about one field once", () => {
  const message = 'The URL must not use port 0.';
  expect(sentenceOf(refused(message, { param: 'url' }), words)).toBe(message);
});

it('names fields by their labels, and never by their paths', () => {
  const fields = [
    { path: 'name', message: 'is required' },
    { path: 'list_id', message: 'is required' },
  ];
  expect(sentenceOf(refused('name: is required', { param: 'name', fields }), words)).toBe(
    'Name: is required. Is required.',
  );
});

it("has its own sentence if the server's names parts of the API", () => {
  expect(sentenceOf(refused('Some fields are invalid. See `details.fields`.', {}), words)).toBe(
    'Check the form.',
  );
});
