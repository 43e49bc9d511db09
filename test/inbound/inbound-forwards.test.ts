// Tests messages that an inbox forwards: one per mail and address, within the plan, and none that an API request can create.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { insert, update } from '../../src/database/rows.js';
import { subTenantRow } from '../support/domain-rows.js';
import { subTenants } from '../../src/tenants/tenants.tables.js';
import { newId } from '../../src/lib/runtime/index.js';
import { createQuotaCheck } from '../../src/messages/accept/quota-check.js';
import { inboxForwards } from '../../src/messages/inboxes/forwards.tables.js';
import { inboxes } from '../../src/messages/inboxes/inboxes.tables.js';
import {
  type InboundOptions,
  type InboundProgram,
  openMailReader,
  startInbound,
} from '../support/inbound.js';

const DOMAIN = 'reply.forwards.example';
const INBOX = `help@${DOMAIN}`;

let rig: InboundProgram;
let sharedReader: ReturnType<typeof openMailReader>;
beforeAll(() => {
  sharedReader = openMailReader(['127.0.0.1:9'], { threads: 1 });
});
afterEach(() => rig.close());
afterAll(() => sharedReader.close());

/** Creates an inbox that forwards to these addresses, whose owners have agreed. */
async function start(addresses: readonly string[], options: InboundOptions = {}): Promise<void> {
  rig = await startInbound({ sharedReader, ...options });
  const { environmentId } = await rig.scopeOf('live');
  const tenant = subTenantRow(rig.workspaceId, 1, {
    ...{ sending_domain: 'forwards.example', status: 'verified', verified_at: 1, inbound_ok: 1 },
  });
  const of = { environment_id: environmentId, sub_tenant_id: tenant.id, created_at: 1, updated_at: 1 };
  const inbox = { id: 'ibx_1', address: INBOX, address_key: INBOX, client_id: 'help', requested: '[]' };
  await rig.store.commit([
    insert(subTenants, { row: tenant }),
    insert(inboxes, { row: { ...of, ...inbox } }),
    ...addresses.map((address) =>
      insert(inboxForwards, {
        row: {
          ...{ ...of, id: newId('fwd', 1), inbox_id: inbox.id, address, address_key: address },
          ...{ confirmation_hash: Buffer.from(address), confirmation_expires_at: 1, confirmed_at: 1 },
        },
      }),
    ),
  ]);
}

const keep = (subject: string, more: readonly string[] = []) =>
  rig.keep({
    raw: [
      ...more,
      'From: ann@author.example',
      `Subject: ${subject}`,
      `Message-ID: <${subject}@x>`,
      '',
      'Hello',
      '',
    ].join('\r\n'),
    to: INBOX,
    from: 'ann@author.example',
  });

const forwarded = () =>
  rig.raw(`SELECT m.public_id, m.to_email, m.from_email, m.status, m.type, m.asked_for, m.content_id = r.content_id AS same
    FROM messages m JOIN messages r ON r.status = 'received' WHERE m.forward IS NOT NULL ORDER BY m.to_email, m.id`);
const records = async () =>
  (await rig.raw('SELECT forwards FROM received_messages ORDER BY message_id')).map(
    ({ forwards }) => JSON.parse(String(forwards)) as { not_forwarded: string | null }[],
  );

it('forwards a mail once to each address, also when a client sends it again', async () => {
  await start(['ann@example.com', 'bob@example.com']);
  await keep('one');
  await keep('one');
  rig.start();
  expect((await rig.settled()).map(({ outcome }) => outcome).toSorted()).toEqual(['duplicate', 'reply']);
  const same = {
    from_email: 'ann@author.example',
    status: 'queued',
    type: 'transactional',
    asked_for: 1,
    same: 1,
  };
  expect(await forwarded()).toMatchObject([
    { to_email: 'ann@example.com', ...same },
    { to_email: 'bob@example.com', ...same },
  ]);
});

it('receives a mail that the plan has no sends left to forward', async () => {
  const limits = { dailySends: 1, monthlySends: null, types: {} };
  const plans = new Map(['free', 'unlimited'].map((name) => [name, limits] as const));
  const unlimited = createQuotaCheck(plans);
  await start(['ann@example.com'], {
    quota: { changes: (scope, _plan, asked, now) => unlimited.changes(scope, 'free', asked, now) },
  });
  await keep('one');
  rig.start();
  await rig.settled();
  await keep('two');
  rig.ring();
  expect((await rig.settled()).map(({ outcome }) => outcome)).toEqual(['reply', 'reply']);
  expect(await forwarded()).toHaveLength(2);
  expect((await records()).flat().map(({ not_forwarded: reason }) => reason)).toEqual([null, 'quota']);
});

it('does not forward mail that cannot be sent unchanged', async () => {
  await start(['ann@example.com']);
  await keep('one', ['X-Odd: a\0b']);
  rig.start();
  await rig.settled();
  expect((await records()).flat()).toMatchObject([{ not_forwarded: 'malformed' }]);
});

it('does not forward before the owner of the address agrees, or after they stop it', async () => {
  await start(['ann@example.com', 'bob@example.com']);
  const change = (address: string, set: object) =>
    rig.store.commit([update(inboxForwards, { set, where: { address } })]);
  await change('ann@example.com', { confirmed_at: null });
  await change('bob@example.com', { stopped_at: 2 });
  await keep('one');
  rig.start();
  await rig.settled();
  expect(await forwarded()).toEqual([]);
});

it('cannot be resent under another author', async () => {
  await start(['ann@example.com']);
  await keep('one');
  rig.start();
  await rig.settled();
  const [row] = await forwarded();
  const answer = await rig.ask('POST', `/v1/messages/${String(row?.['public_id'])}/resend`, {
    key: rig.liveKey,
  });
  expect([answer.status, answer.text]).toEqual([
    422,
    expect.stringContaining('sender_not_verified') as string,
  ]);
});
