// Reads of approvals that an index must serve.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { createApprovalStore } from '../../src/messages/approvals/approvals.store.js';
import { type OpenEngine, SQLITE } from '../support/open-engines.js';

let opened: OpenEngine;
beforeAll(async () => {
  opened = await SQLITE.openMigrated();
});
afterAll(() => opened.close());

it('the approvals of one key are found by the key, in order', async () => {
  const scope = {
    ...{ organizationId: 'org_1', workspaceId: 'ws_1', workspaceNumber: 1, environmentId: 1 },
    ...({ mode: 'live', subTenantId: null } as const),
  };
  const prepare = vi.spyOn(Database.prototype, 'prepare');
  const page = { limit: 20, after: null };
  await createApprovalStore(opened.engine).approvals(scope, page, { apiKeyId: 'key_1', status: ['pending'] });
  const statement = prepare.mock.calls.map(([text]) => text).find((text) => text.includes('api_key_id'));
  prepare.mockRestore();
  const values = [1, 'pending', 'key_1', 21];
  const plan = await opened.raw(`EXPLAIN QUERY PLAN ${statement ?? ''}`, values);
  expect(plan[0]?.['detail']).toBe('SEARCH a USING INDEX approvals_by_key (api_key_id=?)');
  expect(JSON.stringify(plan)).not.toContain('TEMP B-TREE');
});
