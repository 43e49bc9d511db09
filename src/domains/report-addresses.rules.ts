// Addresses for DMARC and TLS reports about Mailkeel's mail, and the DNS records that publish them (RFC 7489 sections 6.2 and
// 7.1, RFC 8460 section 3).

const DMARC_LOCAL = 'dmarc';
const TLS_LOCAL = 'tls-rpt';
/** Local parts, in lower case, that receive reports at each of the platform's domains. Either accepts both kinds. */
export const REPORT_LOCALS: readonly string[] = [DMARC_LOCAL, TLS_LOCAL];

/** Returns the address for aggregate reports about customers' domains. */
export function dmarcReportAddress(bounceDomain: string): string {
  return `${DMARC_LOCAL}@${bounceDomain.toLowerCase()}`;
}

/** Returns the address for TLS reports about Mailkeel's inbound domains, unless the operator sets another one. */
export function tlsReportAddress(bounceDomain: string): string {
  return `${TLS_LOCAL}@${bounceDomain.toLowerCase()}`;
}

/** Returns a DMARC record that requests aggregate reports at the address, unless it already requests them elsewhere. */
export function withReportAddress(record: string, address: string): string {
  if (/;\s*rua\s*=/i.test(record)) return record;
  return `${record.replace(/[;\s]+$/, '')}; rua=mailto:${address}`;
}

/** Name below which every domain must exist whose reports may be sent to `reportDomain`. */
const permissionRoot = (reportDomain: string): string => `_report._dmarc.${reportDomain}`;
export const PERMISSION_VALUE = 'v=DMARC1';

/** Returns the wildcard record that permits reports about any domain to be sent to Mailkeel (RFC 7489 section 7.1). */
export function permissionRecord(bounceDomain: string): { host: string; value: string } {
  return { host: `*.${permissionRoot(bounceDomain.toLowerCase())}`, value: PERMISSION_VALUE };
}

/** Returns whether the name is `<domain>._report._dmarc.<reportDomain>`, which the wildcard matches. Both are in lower case. */
export function isPermissionName(name: string, reportDomain: string): boolean {
  return name.endsWith(`.${permissionRoot(reportDomain)}`);
}
