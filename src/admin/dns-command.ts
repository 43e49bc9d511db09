// `mailkeel admin dns`: prints the records to publish for the platform domain and the inbound mail domains.
import type { Command } from 'commander';
import { type OutputOptions, type Terminal, print, table } from './terminal.js';
import { isPublicName } from '../lib/addresses/index.js';
import { type InboundTlsRecord, inboundTlsRecords } from '../lib/tls-policy/index.js';
import type { Config } from '../settings/settings.js';
import { systemClock } from '../lib/runtime/index.js';
import type { ExpectedRecord, UnnamedRecord } from '../domains/dns-records.rules.js';
import {
  ensurePlatformKey,
  inboundPolicy,
  platformRecords,
  platformSettings,
  reportAddresses,
} from '../domains/platform.js';
import { permissionRecord } from '../domains/report-addresses.rules.js';
import { withAppliance } from '../app/installation/open-appliance.js';
import { readOutboundRules } from '../outbound/route/outbound-rules.js';

export function addAdminDns(admin: Command, terminal: Terminal): void {
  admin
    .command('dns')
    .description('Show the DNS records to publish for MAILKEEL_PLATFORM_DOMAIN')
    .option('--json', 'Output JSON')
    .action(async (options: OutputOptions) => {
      const records = await adminDns(terminal.loadConfig().config);
      const text =
        records.length === 0
          ? 'MAILKEEL_PLATFORM_DOMAIN is not set. Set it to see its DNS records.'
          : table(records.map((record) => [record.host, record.type, valueOf(record)]));
      print(terminal, options, { dns_records: records }, text);
    });
}

type DnsRow = ExpectedRecord | UnnamedRecord | InboundTlsRecord | ReportRecord;

function valueOf(record: DnsRow): string {
  return record.value ?? `(not available until ${record.missing_setting} is set)`;
}

/** Returns no records without MAILKEEL_PLATFORM_DOMAIN. Creates the domain's DKIM key if it is missing, as the server does at start. */
export function adminDns(config: Config): Promise<DnsRow[]> {
  return withAppliance(config, async ({ store, keys }) => {
    const { platformDomain } = config;
    await ensurePlatformKey({ store, masterKey: keys.masterKey, clock: systemClock, platformDomain });
    const sources = [...readOutboundRules(config).egress.sources.values()];
    const settings = platformSettings({ ...config, ...reportAddresses(config) }, sources);
    const records = await platformRecords(store, settings);
    return platformDomain === null ? [] : [...records, ...inboundRecords(config), ...reportRecords(config)];
  });
}

/** Authorizes DMARC reports about any domain to be sent to this one. */
interface ReportRecord {
  purpose: 'dmarc_reports';
  type: 'TXT';
  host: string;
  value: string;
}

function reportRecords({ inbound, bounceDomain }: Config): ReportRecord[] {
  return inbound && isPublicName(bounceDomain)
    ? [{ purpose: 'dmarc_reports', type: 'TXT', ...permissionRecord(bounceDomain) }]
    : [];
}

function inboundRecords(config: Config): InboundTlsRecord[] {
  const policy = inboundPolicy(config);
  const webHost = new URL(config.publicUrl).hostname;
  // A policy that cannot be fetched is worse than none.
  if (!policy || !isPublicName(webHost)) return [];
  const { policyText, domains } = policy;
  const { tlsReportAddress: reportAddress } = reportAddresses(config);
  return domains.flatMap((domain) => inboundTlsRecords({ domain, policyText, webHost, reportAddress }));
}
