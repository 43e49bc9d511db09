// Tests that indexes serve the reads of drafts and forwarded messages.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDraftStore, type DraftFilter } from '../../src/messages/drafts/drafts.store.js';
import { createForwardStore } from '../../src/messages/inboxes/forwards.store.js';
import { type OpenEngine, SQLITE } from '../support/open-engines.js';
import { plansOf } from '../support/query-plans.js';

let opened: OpenEngine;
beforeAll(async () => {
  opened = await SQLITE.openMigrated();
});
afterAll(() => opened.close());

const scopeOf = (subTenantId: string | null) => ({
  ...{ organizationId: 'org_1', workspaceId: 'ws_1', workspaceNumber: 1, environmentId: 1 },
  ...({ mode: 'live', subTenantId } as const),
});
const drafts = () => createDraftStore(opened.engine);

it.each<[DraftFilter, string | null, string]>([
  [{}, null, 'drafts_by_environment (environment_id=?'],
  [{ isSent: false }, null, 'drafts_open_by_message (environment_id=? AND message_id=?'],
  [{ isSent: false }, 'tnt_1', 'drafts_open_by_message (environment_id=? AND message_id=?'],
  [{ isSent: true }, 'tnt_1', 'drafts_by_tenant (sub_tenant_id=?'],
  [{}, 'tnt_1', 'drafts_by_tenant (sub_tenant_id=?'],
  [{ threadId: 'thr_1' }, null, 'drafts_by_thread (thread_id=?'],
  [{ threadId: 'thr_1', isSent: false }, 'tnt_1', 'drafts_by_thread (thread_id=?'],
])('the drafts with %j of sub-tenant %s are read in order by an index', async (filter, tenant, index) => {
  const page = { limit: 20, after: null };
  const [plan] = await plansOf(opened, 'LENGTH', () =>
    drafts().drafts(scopeOf(tenant), page, { ...filter, maxLength: 1 }),
  );
  expect(plan).toContain(`SEARCH drafts USING INDEX ${index}`);
  expect(plan).not.toContain('TEMP B-TREE');
});

it('open drafts are counted by an index alone', async () => {
  for (const tenant of [null, 'tnt_1']) {
    const plans = await plansOf(opened, 'COUNT', () => drafts().openDrafts(scopeOf(tenant)));
    expect(plans.join()).toContain(
      'COVERING INDEX drafts_open_by_message (environment_id=? AND message_id=?',
    );
  }
});

it('forwarded messages on their way are found by their address', async () => {
  const of = { environment_id: 1, address_key: 'ann@example.com' };
  const plans = await plansOf(opened, 'messages', () =>
    createForwardStore(opened.engine).onTheirWay(of, { before: 1, limit: 1 }),
  );
  expect(plans.join()).toContain('messages_forwarding (environment_id=? AND to_key=? AND id<?)');
});
