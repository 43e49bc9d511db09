// The response of GET /v1/health/checks with the results of the last run.
import { Type, type Static } from 'typebox';
import { CHECK_STATUSES } from '../../contract/check-status.js';
import { nameEnums, nameSchemas, nullable, oneOf, timestamp, sentence } from '../../contract/schema.js';

const CHECK_NAMES = [
  'resolver',
  'ehlo_name',
  'ptr',
  'forward_confirmed',
  'ptr_is_ehlo_name',
  'spf',
  'tenant_spf',
  'dnsbl',
  'port_25',
  'smarthost',
  'source_suspension',
  'node_roles',
  'bounce_mx',
  'inbound_mx',
  'inbound_port',
  'report_authorization',
  'tls_reports',
  'dmarc_reports',
  'certificate',
  'zone_delegation',
  'name_server',
  'dkim',
  'dmarc',
  'dnssec',
  'clock',
  'disk_space',
  'disk_forecast',
  'data_folder',
  'database',
  'database_clock',
  'database_connections',
  'integrity',
  'spool',
  'backup',
  'replica',
  'public_url',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

const healthCheck = Type.Object({
  object: Type.Literal('health_check'),
  name: oneOf(CHECK_NAMES),
  subject: nullable(
    sentence({ description: 'The checked object, for example an address, host or DNS name.' }),
  ),
  status: oneOf(CHECK_STATUSES, {
    description: 'The result of the check. `unknown` means that the check had no result.',
  }),
  observed: sentence(),
  expected: sentence(),
  remedy: nullable(sentence({ description: 'The recommended fix. `null` if the check passes.' })),
});

export const healthReport = Type.Object({
  object: Type.Literal('health_report'),
  status: oneOf(CHECK_STATUSES, {
    description: 'The worst status of all checks. `unknown` before the first run.',
  }),
  checked_at: nullable(timestamp),
  data: Type.Array(healthCheck),
});
export type HealthReportWire = Static<typeof healthReport>;

nameSchemas({
  HealthCheck: healthCheck,
  HealthReport: healthReport,
});

nameEnums({ CheckName: CHECK_NAMES, CheckStatus: CHECK_STATUSES });
