// Tests that indexes serve the reads of approvals.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApprovalStore } from '../../src/messages/approvals/approvals.store.js';
import { type OpenEngine, SQLITE } from '../support/open-engines.js';
import { plansOf } from '../support/query-plans.js';

const SCOPE = {
  ...{ organizationId: 'org_1', workspaceId: 'ws_1', workspaceNumber: 1, environmentId: 1 },
  ...({ mode: 'live', subTenantId: null } as const),
};
const PAGE = { limit: 20, after: null };

let opened: OpenEngine;
beforeAll(async () => {
  opened = await SQLITE.openMigrated();
});
afterAll(() => opened.close());

const approvals = () => createApprovalStore(opened.engine);

it('the approvals of one key are found by the key, in order', async () => {
  const [plan] = await plansOf(opened, 'api_key_id', () =>
    approvals().approvals(SCOPE, PAGE, { apiKeyId: 'key_1', status: ['pending'] }),
  );
  expect(plan).toMatch(/^SEARCH a USING INDEX approvals_by_key \(api_key_id=\?\)/);
  expect(plan).not.toContain('TEMP B-TREE');
});

it('the approvals of an environment or sub-tenant are read in order, whatever their status', async () => {
  for (const [subTenantId, index] of [
    [null, 'approvals_by_environment (environment_id=? AND status=?)'],
    ['tnt_1', 'approvals_by_tenant (environment_id=? AND sub_tenant_id=? AND status=?)'],
  ] as const) {
    const plans = await plansOf(opened, 'approvals', () =>
      approvals().approvals({ ...SCOPE, subTenantId }, PAGE, {}),
    );
    expect(plans).not.toEqual([]);
    for (const plan of plans) {
      expect(plan).toContain(`SEARCH a USING INDEX ${index}`);
      expect(plan).not.toContain('TEMP B-TREE');
    }
  }
});

it('pending approvals without a notification are found without the others', async () => {
  const plans = await plansOf(opened, 'approvals', () => approvals().unannounced());
  expect(plans.join()).toMatch(/SEARCH a USING INDEX \w+ \(environment_id=\? AND status=\?\)/);
});
