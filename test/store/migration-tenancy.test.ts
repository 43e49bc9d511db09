// The step to tenancy on a database of the release before: what sub-tenants are judged by is made of the events that were
// counted already, and a pause moves to where pauses are kept.
import { describe, expect, it } from 'vitest';
import { up as first } from '../../src/store/migrations/0001-first.js';
import { up as outbound } from '../../src/store/migrations/0002-outbound.js';
import { up as third } from '../../src/store/migrations/0003-way-back.js';
import { up as audience } from '../../src/store/migrations/0004-audience.js';
import { up as tenancy } from '../../src/store/migrations/0005-tenancy.js';
import type { Row, Value } from '../../src/store/engine/engine.js';
import { engineKinds } from '../support/open-engines.js';

const HOUR = 3_600_000;
const NOW = 490_000 * HOUR + 1;
const CHAIN = 2 ** 36;
const LIVE = 2;

describe.each(engineKinds())('an upgrade on $name', (kind) => {
  it('counts the last days of sub-tenants as far as they were counted, and keeps pauses', async () => {
    const opened = await kind.open();
    const { engine } = opened;
    const before = [first, outbound, third, audience];
    for (const step of before) await step(engine.schema, engine.spelling);
    const insert = async (table: string, row: Record<string, Value>): Promise<void> => {
      const values = Object.values(row);
      const marks = values.map((_value, i) => (kind.name === 'SQLite' ? '?' : `$${i + 1}`)).join(', ');
      await opened.raw(`INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${marks})`, values);
    };
    const stamps = { created_at: NOW, updated_at: NOW };
    await insert('organizations', {
      ...{
        id: 'org_1',
        name: 'A',
        plan: 'unlimited',
        unsubscribe_blocks: 'all',
        track_opens: 1,
        track_clicks: 1,
      },
      ...stamps,
    });
    await insert('workspaces', {
      id: 'ws_1',
      number: 1,
      organization_id: 'org_1',
      name: 'A',
      created_at: NOW,
    });
    await insert('environments', { id: LIVE, workspace_id: 'ws_1', mode: 'live' });
    await insert('environments', { id: 3, workspace_id: 'ws_1', mode: 'test' });
    const tenant = (id: string, status: string, set: Record<string, Value> = {}) =>
      insert('sub_tenants', {
        ...{ id, workspace_id: 'ws_1', name: id, sending_domain: `${id}.example`, status, verified_at: NOW },
        ...{ return_path_ok: 0, inbound_ok: 0, ...stamps, ...set },
      });
    await tenant('tnt_a', 'verified');
    await tenant('tnt_b', 'paused');
    await tenant('tnt_c', 'paused', { verified_at: null });
    await tenant('tnt_d', 'paused', { deleted_at: NOW });

    const message = (id: number, tenantId: string | null, nullSender: 0 | 1 = 0) =>
      insert('messages', {
        ...{ id, public_id: `msg_${id}`, environment_id: LIVE, sub_tenant_id: tenantId, content_id: 1 },
        ...{
          type: 'transactional',
          status: 'sent',
          recipient_role: 'to',
          to_email: 'a@b.example',
          to_key: 'a@b',
        },
        ...{ from_email: 'c@d.example', subject: 'S', priority: 'normal', tags: '[]', metadata: '{}' },
        ...{ content_hash: '', track_opens: 0, track_clicks: 0, null_sender: nullSender, ...stamps },
      });
    let seq = 0;
    const event = async (messageId: number | null, what: string, hoursAgo = 0): Promise<void> => {
      seq += 1;
      await insert('events', {
        ...{
          position: CHAIN + seq,
          environment_id: LIVE,
          message_id: messageId,
          subject_id: `msg_${messageId}`,
        },
        ...{ event: what, actor: 'system', occurred_at: NOW - hoursAgo * HOUR, hash: Buffer.alloc(32, seq) },
      });
    };
    await message(1, 'tnt_a');
    await message(2, 'tnt_a');
    await message(3, 'tnt_b');
    await message(4, null);
    await message(5, 'tnt_a', 1);
    await event(1, 'complained', 24 * 8 + 1);
    for (const id of [1, 2, 3, 4, 5]) await event(id, 'queued', 5);
    for (const id of [1, 2, 3, 4, 5]) await event(id, 'sent', 5);
    for (const id of [1, 2, 4]) await event(id, 'delivered', 3);
    await event(2, 'complained', 2);
    await event(2, 'complained', 1);
    await event(1, 'complained', 1);
    await event(3, 'bounced', 1);
    await event(3, 'bounced');
    await event(null, 'tenant_warned');
    await insert('followers', { name: 'statistics', workspace_number: 1, seq });
    await insert('followers', { name: 'sequences', workspace_number: 1, seq });
    // What the follower has not taken it adds itself.
    await event(1, 'delivered');

    await tenancy(engine.schema, engine.spelling);

    const hours = (await opened.raw('SELECT * FROM tenant_hours ORDER BY sub_tenant_id, hour')).map(numbers);
    const at = (tenantId: string, hoursAgo: number, sums: object) => ({
      ...{ environment_id: LIVE, sub_tenant_id: tenantId, hour: 490_000 - hoursAgo },
      ...{ sent: 0, delivered: 0, bounced: 0, complained: 0, ...sums },
    });
    expect(hours).toEqual([
      at('tnt_a', 5, { sent: 2 }),
      at('tnt_a', 3, { delivered: 2 }),
      // Once for each message; that of message 1 was counted before the days that are looked at.
      at('tnt_a', 2, { complained: 1 }),
      at('tnt_b', 5, { sent: 1 }),
      at('tnt_b', 1, { bounced: 1 }),
    ]);
    const states = await opened.raw('SELECT * FROM tenant_standings ORDER BY sub_tenant_id');
    expect(states.map(numbers)).toMatchObject(
      ['tnt_b', 'tnt_c'].map((id) => ({
        ...{ environment_id: LIVE, sub_tenant_id: id, state: 'ok', paused_at: NOW, pause_cause: 'requested' },
      })),
    );
    const rows = await opened.raw('SELECT id, status FROM sub_tenants ORDER BY id');
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      ['tnt_a', 'verified'],
      ['tnt_b', 'verified'],
      ['tnt_c', 'pending_verification'],
      ['tnt_d', 'verified'],
    ]);
    await opened.close();
  }, 60_000);

  it('keeps DKIM keys, and a name of one that is gone may come again', async () => {
    const opened = await kind.open();
    const { engine } = opened;
    for (const step of [first, outbound, third, audience]) await step(engine.schema, engine.spelling);
    const key = (id: string, selector: string, state: string): string =>
      `INSERT INTO dkim_keys (id, owner_id, domain, selector, algorithm, private_key_sealed, record_value, state, created_at)
        VALUES ('${id}', 'tnt_a', 'a.example', '${selector}', 'rsa-sha256', 'sealed', 'v=DKIM1', '${state}', ${NOW})`;
    await opened.raw(key('key_1', 'one', 'active'));
    await opened.raw(key('key_2', 'two', 'retired'));
    await tenancy(engine.schema, engine.spelling);
    await opened.raw(key('key_3', 'two', 'pending'));
    await expect(opened.raw(key('key_4', 'one', 'pending'))).rejects.toThrow();
    const rows = await opened.raw('SELECT * FROM dkim_keys ORDER BY id');
    expect(rows.map(numbers)).toMatchObject([
      { id: 'key_1', state: 'active', published_at: NOW, activated_at: NOW, private_key_sealed: 'sealed' },
      { id: 'key_2', state: 'retired', published_at: null, activated_at: null, slot: null, revoke_at: null },
      { id: 'key_3', state: 'pending', created_at: NOW },
    ]);
    await opened.close();
  }, 60_000);
});

function numbers(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === 'bigint' ? Number(value) : value]),
  );
}
