// Tests which mail of a sequence is tracked, as the organization's settings say, including settings by type.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';
import { organizations } from '../../src/accounts/accounts.tables.js';
import { update } from '../../src/database/rows.js';

let rig: AudienceRig;
beforeAll(async () => {
  rig = await startAudienceRig({ mode: 'test' });
});
afterAll(() => rig.close());

it.each([
  ['is tracked', null, { track_opens: 1, track_clicks: 1 }],
  ['is not, where its type is left out', '["marketing"]', { track_opens: 0, track_clicks: 0 }],
] as const)('a marketing mail of a sequence %s', async (_, untracked_types, expected) => {
  const { store } = rig;
  const { organizationId } = rig.program;
  const where = { id: organizationId };
  await store.commit([update(organizations, { set: { untracked_types }, where })]);
  const id = await rig.addSequence({ steps: [{ type: 'send', template: 'hello' }] });
  const email = `ann${untracked_types === null ? '' : '-two'}@example.test`;
  await rig.addContact(email);
  expect((await rig.ask('POST', `/v1/sequences/${id}/enroll`, { body: { email } })).status).toBe(201);
  await rig.sequences.step();
  const { rows } = await store.messages.messages(rig.scope, { limit: 1, after: null }, { toKeys: [email] });
  expect(rows[0]).toMatchObject(expected);
});
