// Routes that check a sub-tenant, or the workspace itself, against the bulk sender rules of large providers.
import { Refusal } from '../../contract/refusal.js';
import { idParams } from '../../contract/schema.js';
import { iso } from '../../contract/time.js';
import type { Api } from '../../http/api.js';
import type { Scope } from '../../database/scope.js';
import { bulkRules, type BulkRulesWire } from './bulk-rules.schema.js';
import { gatherEvidence, type BulkRuleContext } from './evidence.js';
import { judgeBulkRules, overallStatus, bulkVolumes } from './judge.rules.js';

const DESCRIPTION =
  "Covers the key's environment and the last 30 days, based on the last check of each DNS record, the newest messages as sent, their delivery attempts and the statistics. Sandbox messages produce no delivery evidence.";

export function bulkRuleRoutes(app: Api, context: BulkRuleContext): void {
  app.get(
    '/v1/sub-tenants/:id/bulk-rules',
    {
      schema: {
        operationId: 'subTenants.getBulkRules',
        tags: ['Sub-tenants'],
        summary: 'Check a sub-tenant against bulk sender rules',
        description: `Checks messages of the sub-tenant against the bulk sender requirements of Google, Yahoo and Microsoft. ${DESCRIPTION}`,
        params: idParams,
        response: { 200: bulkRules },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const tenant = await context.store.tenants.subTenant(scope, request.params.id);
      if (!tenant) throw new Refusal('not_found');
      return presentBulkRules(context, { ...scope, subTenantId: tenant.id });
    },
  );

  app.get(
    '/v1/bulk-rules',
    {
      schema: {
        operationId: 'bulkRules.get',
        tags: ['Bulk rules'],
        summary: 'Check the workspace against bulk sender rules',
        description: `Checks messages of the workspace that have no sub-tenant against the bulk sender requirements of Google, Yahoo and Microsoft. With a sub-tenant's key or \`X-Sub-Tenant-Id\`, checks that sub-tenant. ${DESCRIPTION}`,
        response: { 200: bulkRules },
      },
    },
    (request) => presentBulkRules(context, request.caller.scope),
  );
}

async function presentBulkRules(context: BulkRuleContext, scope: Scope): Promise<BulkRulesWire> {
  const facts = await gatherEvidence(context, scope);
  const data = judgeBulkRules(facts);
  return {
    object: 'bulk_rules',
    sub_tenant_id: scope.subTenantId,
    domains: facts.domains.map(({ domain }) => domain),
    status: overallStatus(data),
    window_days: facts.windowDays,
    looked_at: iso(context.clock()),
    volume: bulkVolumes(facts),
    data,
  };
}
