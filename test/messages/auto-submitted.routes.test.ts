// Tests Auto-Submitted (RFC 3834): marketing and sales mail has it by default, transactional mail only if the request asks for
// it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINIMAL, startMessageRig, type MessageRig } from '../support/message-rig.js';

let rig: MessageRig;
beforeAll(async () => {
  rig = await startMessageRig();
  await rig.setOrganization({ postal_address: 'Ring 1, Cologne' });
  await rig.ask('POST', '/v1/contacts', { body: { email: 'ann@example.com' } });
});
afterAll(() => rig.close());

const MARKETING = { to: 'ann@example.com', type: 'marketing' };

it.each([
  ['transactional mail', {}, []],
  ['transactional mail that asks for it', { auto_submitted: true }, ['auto-generated']],
  ['transactional mail that declines it', { auto_submitted: false }, []],
  [
    'transactional mail with its own value',
    { headers: { 'Auto-Submitted': 'auto-notified' } },
    ['auto-notified'],
  ],
  ['marketing mail', MARKETING, ['auto-generated']],
  ['sales mail', { ...MARKETING, type: 'sales' }, ['auto-generated']],
  ['marketing mail that asks for it', { ...MARKETING, auto_submitted: true }, ['auto-generated']],
  ['marketing mail that declines it', { ...MARKETING, auto_submitted: false }, ['no']],
])('%s has the expected field', async (_what, fields, expected) => {
  const { status, json, text } = await rig.ask('POST', '/v1/messages', { body: { ...MINIMAL, ...fields } });
  expect(status, text).toBe(202);
  const raw = (await rig.ask('GET', `/v1/messages/${json.id}/raw`)).text;
  expect([...raw.matchAll(/^Auto-Submitted: (.*)\r$/gim)].map(([, value]) => value)).toEqual(expected);
});

it('is refused together with the header field of the same name', async () => {
  const body = { ...MINIMAL, auto_submitted: true, headers: { 'auto-submitted': 'no' } };
  const { status, json } = await rig.ask('POST', '/v1/messages', { body });
  expect(status).toBe(422);
  expect(JSON.stringify(json)).toContain('auto_submitted');
});
