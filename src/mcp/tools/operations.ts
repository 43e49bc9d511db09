// Tools that read the state of domains, the server, statistics and the caller's own rights.
import { Type, type Static } from 'typebox';
import type { MeWire } from '../../accounts/me.routes.js';
import { analyticsQuery, figures, type AnalyticsWire } from '../../analytics/analytics.schema.js';
import { CHECK_STATUSES } from '../../contract/check-status.js';
import { KEY_PERMISSIONS, MODES } from '../../contract/names.js';
import { isAllowed } from '../../contract/key-permission.js';
import { Refusal } from '../../contract/refusal.js';
import { closed, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { sendPolicy } from '../../contract/send-policy.js';
import { DNS_RECORD_PURPOSES, DNS_RECORD_STATUSES } from '../../domains/dns-records.rules.js';
import { SENDER_STATUSES, type SenderWire } from '../../domains/senders/sender.schema.js';
import type { DnsRecordWire } from '../../domains/sub-tenants/sub-tenant.schema.js';
import type { HealthReportWire } from '../../operations/preflight/health-check.schema.js';
import { pathPart, RefusedByV1 } from '../../http/server/v1-calls.js';
import {
  defineTool,
  line,
  lineOrNull,
  listInput,
  listOutput,
  readList,
  untrusted,
  type Tool,
  type ToolCall,
} from '../tool.js';

const textOrNull = nullable(Type.String());

const domainFields = {
  id: Type.String(),
  kind: oneOf(['address', 'domain']),
  domain: Type.String(),
  status: oneOf(SENDER_STATUSES),
  is_default: Type.Boolean(),
  is_drifting: Type.Boolean({ description: 'Whether the DKIM record that was found before is missing now.' }),
  sub_tenant_id: textOrNull,
  last_checked_at: nullable(timestamp),
};

function presentDomain(sender: SenderWire) {
  return {
    id: sender.id,
    kind: sender.kind,
    domain: sender.domain,
    status: sender.status,
    is_default: sender.is_default,
    is_drifting: sender.dns?.drifting ?? false,
    sub_tenant_id: sender.sub_tenant_id,
    last_checked_at: sender.last_checked_at,
  };
}

const domainItem = Type.Object({
  ...domainFields,
  missing_records: Type.Integer({ description: 'DNS records that are missing or wrong.' }),
  untrusted_content: untrusted({ email: textOrNull, name: textOrNull }),
});

const listDomains = defineTool({
  name: 'list_domains',
  title: 'List domains',
  description: 'Lists the domains and addresses that mail can be sent from, newest first.',
  operation: { method: 'GET' },
  input: listInput({
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Part of the domain or address.' }),
    ),
  }),
  output: listOutput(domainItem),
  run: (filters, call) =>
    readList(call, '/v1/senders', filters, (sender: SenderWire): Static<typeof domainItem> => ({
      ...presentDomain(sender),
      missing_records: sender.dns_records.filter(isMissing).length,
      untrusted_content: { email: lineOrNull(sender.email), name: lineOrNull(sender.name) },
    })),
});

const record = Type.Object({
  purpose: oneOf(DNS_RECORD_PURPOSES),
  type: oneOf(['TXT', 'MX', 'CNAME']),
  host: Type.String(),
  value: nullable(Type.String({ description: 'The value to publish.' })),
  priority: nullable(Type.Integer()),
  required: Type.Boolean({ description: 'Whether the domain is not verified without it.' }),
  status: oneOf(DNS_RECORD_STATUSES),
  untrusted_content: untrusted({ found: Type.Array(Type.String()) }),
});

function isMissing({ status }: DnsRecordWire): boolean {
  return status === 'missing' || status === 'mismatch' || status === 'pending';
}

function presentRecord(one: DnsRecordWire): Static<typeof record> {
  const { purpose, type, host, value, priority, required, status, found } = one;
  return {
    ...{ purpose, type, host, value, priority: priority ?? null, required, status },
    untrusted_content: { found: found.map(line) },
  };
}

const getDomainStatus = defineTool({
  name: 'get_domain_status',
  title: 'Get domain status',
  description:
    "Returns whether mail can be sent from a domain, and the DNS records that are missing or wrong, as the last check found them. The owner publishes them at the domain's DNS provider.",
  operation: { method: 'GET' },
  input: closed({
    domain: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'The domain, such as example.com, or its ID.',
    }),
  }),
  output: Type.Object({
    ...domainFields,
    missing_records: Type.Array(record),
    correct_records: Type.Array(record),
  }),
  async run({ domain }, call) {
    const sender = await findSender(call, domain);
    return {
      ...presentDomain(sender),
      missing_records: sender.dns_records.filter(isMissing).map(presentRecord),
      correct_records: sender.dns_records.filter((one) => one.status === 'ok').map(presentRecord),
    };
  },
});

const SENDER_ID = /^snd_[0-9a-z]{26}$/;

async function findSender({ v1 }: ToolCall, wanted: string): Promise<SenderWire> {
  if (SENDER_ID.test(wanted)) return (await v1.get(`/v1/senders/${pathPart(wanted)}`)) as SenderWire;
  const name = wanted.toLowerCase();
  const { data } = (await v1.get('/v1/senders', { q: name, limit: 100 })) as { data: SenderWire[] };
  const found = data.find(({ kind, domain }) => kind === 'domain' && domain === name);
  if (found === undefined) {
    throw new Refusal('not_found', 'No sender has this domain.', {
      param: 'domain',
    });
  }
  return found;
}

const getHealth = defineTool({
  name: 'get_health',
  title: 'Get health',
  description:
    'Returns whether the server can accept mail, and its warnings. Keys with admin permission also get the checks of the host, such as DNS, ports and blocklists.',
  operation: { method: 'GET', permission: 'send' },
  input: closed({}),
  output: Type.Object({
    ready: Type.Boolean(),
    warnings: Type.Array(Type.String()),
    checks: nullable(
      Type.Array(
        Type.Object({
          name: Type.String(),
          status: oneOf(CHECK_STATUSES),
          untrusted_content: untrusted({
            subject: textOrNull,
            observed: Type.String(),
            expected: Type.String(),
            remedy: textOrNull,
          }),
        }),
      ),
    ),
  }),
  async run(_args, { v1, permission }) {
    const readiness = await readReadiness(v1);
    if (!isAllowed(permission, 'GET', 'admin')) return { ...readiness, checks: null };
    const { data } = (await v1.get('/v1/health/checks')) as HealthReportWire;
    const checks = data.map(({ name, status, subject, observed, expected, remedy }) => ({
      name,
      status,
      untrusted_content: {
        subject: lineOrNull(subject),
        observed: line(observed),
        expected: line(expected),
        remedy: lineOrNull(remedy),
      },
    }));
    return { ...readiness, checks };
  },
});

async function readReadiness(v1: ToolCall['v1']): Promise<{ ready: boolean; warnings: string[] }> {
  try {
    const { warnings } = (await v1.get('/readyz')) as { warnings: string[] };
    return { ready: true, warnings: warnings.map(line) };
  } catch (error) {
    if (!(error instanceof RefusedByV1) || error.type !== 'unavailable') throw error;
    return { ready: false, warnings: [line(error.message)] };
  }
}

const { window_days: windowDays, from, to, group_by: groupBy, type } = analyticsQuery.properties;

const getStatistics = defineTool({
  name: 'get_statistics',
  title: 'Get statistics',
  description:
    'Returns totals and rates of sent mail in a period: delivered, opened, clicked, bounced, complained. Optionally by tag, campaign, sub-tenant, provider or type.',
  operation: { method: 'GET' },
  input: closed({ window_days: windowDays, from, to, group_by: groupBy, type }),
  output: Type.Object({
    from: timestamp,
    to: timestamp,
    up_to_date: Type.Boolean({ description: '`false` while recent events are still being counted.' }),
    totals: figures.totals,
    rates: figures.rates,
    groups: nullable(
      Type.Array(
        Type.Object({
          sent: Type.Integer(),
          delivered: Type.Integer(),
          bounced: Type.Integer(),
          complained: Type.Integer(),
          untrusted_content: untrusted({ key: textOrNull, name: textOrNull }),
        }),
      ),
    ),
  }),
  async run(query, { v1 }) {
    const found = (await v1.get('/v1/analytics', query)) as AnalyticsWire;
    return {
      from: found.from,
      to: found.to,
      up_to_date: found.up_to_date,
      totals: found.totals,
      rates: found.rates,
      groups:
        found.groups?.map(({ key, name, sent, delivered, bounced, complained }) => ({
          ...{ sent, delivered, bounced, complained },
          untrusted_content: { key: lineOrNull(key), name: lineOrNull(name) },
        })) ?? null,
    };
  },
});

const getAccess = defineTool({
  name: 'get_access',
  title: 'Get access',
  description:
    'Returns the permission, environment and send policy of the key that makes these calls. A send that the policy does not allow is refused with policy_violation.',
  operation: { method: 'GET', permission: 'send' },
  input: closed({}),
  output: Type.Object({
    permission: oneOf(KEY_PERMISSIONS),
    environment: oneOf(MODES),
    workspace_id: Type.String(),
    sub_tenant_id: textOrNull,
    expires_at: nullable(timestamp),
    policy: nullable(sendPolicy),
  }),
  async run(_args, { v1 }) {
    const me = (await v1.get('/v1/me')) as MeWire;
    return {
      permission: me.permission,
      environment: me.mode,
      workspace_id: me.workspace.id,
      sub_tenant_id: me.sub_tenant_id,
      expires_at: me.api_key?.expires_at ?? null,
      policy: me.api_key?.policy ?? null,
    };
  },
});

export const OPERATION_TOOLS: readonly Tool[] = [
  listDomains,
  getDomainStatus,
  getHealth,
  getStatistics,
  getAccess,
];
