// Tests that a NUL character in a query is refused by name, regardless of the operation.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApi, type StartedApi } from '../support/start-api.js';

let api: StartedApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

it('an id with a NUL character is refused by name', async () => {
  const answer = await api.ask('GET', '/v1/contacts/cnt_%00');
  expect(answer.status).toBe(422);
  expect(answer.json.error).toMatchObject({ param: 'id' });
});

it.each(['/v1/contacts?q=%00', '/v1/contacts?tag=a%00', '/v1/contacts?q=ann&list_id=%00'])(
  '%s',
  async (url) => {
    const answer = await api.ask('GET', url);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('contains a NUL character');
  },
);
