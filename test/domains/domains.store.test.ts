// Reads of senders that an index must serve.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDomainStore } from '../../src/domains/domains.store.js';
import { type OpenEngine, SQLITE } from '../support/open-engines.js';
import { plansOf } from '../support/query-plans.js';

let opened: OpenEngine;
beforeAll(async () => {
  opened = await SQLITE.openMigrated();
});
afterAll(() => opened.close());

it('the verified senders of a workspace are found without those of its sub-tenants', async () => {
  const plans = await plansOf(opened, 'senders', () =>
    createDomainStore(opened.engine).verifiedSenders({ workspaceId: 'ws_1', subTenantId: null }),
  );
  expect(plans).toHaveLength(1);
  expect(plans[0]).toMatch(
    /^SEARCH senders USING INDEX senders_live_identity \(workspace_id=\? AND <expr>=\?\)/,
  );
});
