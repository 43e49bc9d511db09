// The step to environments on a database of the release before: what there was is live, is found as before, and is not
// written to by what test campaigns and sequences had begun.
import { describe, expect, it } from 'vitest';
import { up as first } from '../../src/store/migrations/0001-first.js';
import { up as outbound } from '../../src/store/migrations/0002-outbound.js';
import { up as third } from '../../src/store/migrations/0003-way-back.js';
import { up as audience } from '../../src/store/migrations/0004-audience.js';
import { up as tenancy } from '../../src/store/migrations/0005-tenancy.js';
import { up as environments } from '../../src/store/migrations/0007-environments.js';
import { searchPattern } from '../../src/contacts/search.store.js';
import type { Value } from '../../src/store/engine/engine.js';
import { engineKinds } from '../support/open-engines.js';

const NOW = 1_767_323_045_678;
const LIVE = 4;
const TEST = 5;

describe.each(engineKinds())('an upgrade to environments on $name', (kind) => {
  it('makes live what there was, and ends what test had under way with it', async () => {
    const opened = await kind.open();
    const { engine } = opened;
    for (const step of [first, outbound, third, audience, tenancy])
      await step(engine.schema, engine.spelling);
    const insert = async (table: string, row: Record<string, Value>): Promise<void> => {
      const values = Object.values(row);
      const marks = values.map((_value, i) => (kind.name === 'SQLite' ? '?' : `$${i + 1}`)).join(', ');
      await opened.raw(`INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${marks})`, values);
    };
    const stamps = { created_at: NOW, updated_at: NOW };
    const plan = { plan: 'unlimited', unsubscribe_blocks: 'all', track_opens: 1, track_clicks: 1 };
    await insert('organizations', { id: 'org_1', name: 'A', ...plan, ...stamps });
    const workspace = { id: 'ws_1', number: 1, organization_id: 'org_1', name: 'A', created_at: NOW };
    await insert('workspaces', workspace);
    await insert('environments', { id: LIVE, workspace_id: 'ws_1', mode: 'live' });
    await insert('environments', { id: TEST, workspace_id: 'ws_1', mode: 'test' });
    const own = { workspace_id: 'ws_1', sub_tenant_id: null };
    const person = (name: string, tags: string, status: string) =>
      insert('contacts', {
        ...{ id: `cnt_${name}`, ...own, email: `${name}@x.example`, email_key: `${name}@x.example`, name },
        ...{ tags, metadata: '{}', status, ...stamps },
      });
    await person('anna', '["a"]', 'active');
    await person('berta', '[]', 'bounced');
    await insert('contact_tags', { workspace_number: 1, tag: 'a', contact_number: 1 });
    const list = { id: 'lst_1', ...own, name: 'News', double_opt_in: 0, contacts: 1 };
    await insert('contact_lists', { ...list, ...stamps });
    await insert('list_members', { list_number: 1, contact_number: 1, state: 'subscribed', joined_at: NOW });
    const template = { id: 'tpl_1', ...own, slug: 'hello', name: 'Hello', type: 'any', version: 1 };
    await insert('templates', { ...template, ...stamps });
    await insert('template_versions', { template_id: 'tpl_1', version: 1, html: 'x', created_at: NOW });
    const endpoint = { id: 'whe_1', ...own, url: 'https://x.example', status: 'enabled' };
    await insert('webhook_endpoints', { ...endpoint, consecutive_failures: 0, secret_sealed: '', ...stamps });
    await insert('webhook_deliveries', {
      ...{ id: 1, public_id: 'whd_1', endpoint_id: 'whe_1', environment_id: TEST, event: 'message.sent' },
      ...{ subject_id: 'msg_1', payload: '{}', status: 'pending', attempts: 0, due_at: NOW, created_at: NOW },
    });
    const campaign = (id: string, environmentId: number) =>
      insert('campaigns', {
        ...{
          id,
          environment_id: environmentId,
          name: 'C',
          type: 'marketing',
          list_number: 1,
          template_id: 'tpl_1',
        },
        ...{ variants: '[]', status: 'sending', frozen_up_to: 0, total: 0, made: 0, skipped: 0, failed: 0 },
        ...stamps,
      });
    await campaign('cmp_live', LIVE);
    await campaign('cmp_test', TEST);
    const sequence = (id: string, number: number, environmentId: number) =>
      insert('sequences', {
        ...{
          number,
          id,
          environment_id: environmentId,
          name: 'S',
          type: 'marketing',
          trigger_kind: 'manual',
        },
        ...{ trigger_value: '', steps: '[]', exit_on: '[]', status: 'active', ...stamps },
      });
    await sequence('seq_live', 1, LIVE);
    await sequence('seq_test', 2, TEST);
    for (const number of [1, 2]) {
      await insert('enrollments', {
        ...{
          number,
          id: `enr_${number}`,
          sequence_number: number,
          contact_number: 1,
          email_key: 'anna@x.example',
        },
        ...{
          state: 'active',
          step: 's',
          step_since: NOW,
          due_at: NOW,
          steps_taken: 0,
          variables: '{}',
          ...stamps,
        },
      });
    }

    await environments(engine.schema, engine.spelling);

    const all = (text: string) => opened.raw(text);
    const places = { environment_id: LIVE };
    expect(await all('SELECT environment_id FROM contacts')).toEqual([places, places]);
    for (const table of [
      'contact_lists',
      'templates',
      'webhook_endpoints',
      'contact_tags',
      'webhook_deliveries',
    ]) {
      expect(await all(`SELECT environment_id FROM ${table}`), table).toEqual([places]);
    }
    expect(await all('SELECT status, contacts FROM contact_counts ORDER BY status')).toEqual([
      { status: 'active', contacts: 1 },
      { status: 'bounced', contacts: 1 },
    ]);
    expect(await all('SELECT id, status FROM campaigns ORDER BY id')).toEqual([
      { id: 'cmp_live', status: 'sending' },
      { id: 'cmp_test', status: 'canceled' },
    ]);
    expect(await all('SELECT id, state FROM enrollments ORDER BY id')).toEqual([
      { id: 'enr_1', state: 'active' },
      { id: 'enr_2', state: 'canceled' },
    ]);
    const { index } = engine.spelling.contactSearch;
    if (index) {
      const find = (environmentId: number) =>
        engine.rows(index.find, [searchPattern(environmentId, 'anna') ?? '', 100, 10]);
      expect(await find(LIVE)).toEqual([{ number: 1 }]);
      expect(await find(TEST)).toEqual([]);
    }
    // The other environment may have the same address, slug and list.
    const twin = { environment_id: TEST, email: 'anna@x.example', email_key: 'anna@x.example', tags: '[]' };
    await insert('contacts', { id: 'cnt_twin', ...twin, metadata: '{}', status: 'active', ...stamps });
    const other = {
      id: 'tpl_2',
      environment_id: TEST,
      slug: 'hello',
      name: 'Hello',
      type: 'any',
      version: 1,
    };
    await insert('templates', { ...other, ...stamps });
    await opened.close();
  }, 60_000);
});
