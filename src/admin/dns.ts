// `posthorn admin dns`: what to publish for the appliance's own domain, and for those that mail comes back to.
import { domainProblem } from '../mail/address.js';
import { inboundTlsRecords, type InboundTlsRecord } from '../mail/mta-sts.js';
import type { Config } from '../runtime/config/schema.js';
import { systemClock } from '../runtime/clock.js';
import type { ExpectedRecord } from '../rules/dns-records.js';
import {
  ensurePlatformKey,
  inboundPolicy,
  platformRecords,
  platformSettings,
} from '../work/tenants/platform.js';
import { withAppliance } from './open-appliance.js';
import { readOutboundRules } from './outbound-rules.js';

/** Empty without POSTHORN_PLATFORM_DOMAIN. Makes the domain's DKIM key when it is missing, as a start does. */
export function adminDns(config: Config): Promise<(ExpectedRecord | InboundTlsRecord)[]> {
  return withAppliance(config, async ({ store, keys }) => {
    const { platformDomain } = config;
    await ensurePlatformKey({ store, masterKey: keys.masterKey, clock: systemClock, platformDomain });
    const sources = [...readOutboundRules(config).egress.sources.values()];
    const records = await platformRecords(store, platformSettings(config, sources));
    return platformDomain === null ? [] : [...records, ...inboundRecords(config)];
  });
}

function inboundRecords(config: Config): InboundTlsRecord[] {
  const policy = inboundPolicy(config);
  const webHost = new URL(config.publicUrl).hostname;
  // A policy that nobody can fetch is worse than none.
  if (!policy || domainProblem(webHost) !== null) return [];
  const { policyText, domains } = policy;
  return domains.flatMap((domain) =>
    inboundTlsRecords({ domain, policyText, webHost, reportAddress: config.tlsReportAddress }),
  );
}
