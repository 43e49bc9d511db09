// The addresses that others send DMARC and TLS reports about our mail to, and the DNS records that name them (RFC 7489 sections 6.2
// and 7.1, RFC 8460 section 3).

const DMARC_LOCAL = 'dmarc';
const TLS_LOCAL = 'tls-rpt';
/** Local parts, lower case, that take reports at each of the platform's own domains. Either takes both kinds. */
export const REPORT_LOCALS: readonly string[] = [DMARC_LOCAL, TLS_LOCAL];

/** Where aggregate reports about our customers' domains go. */
export function dmarcReportAddress(bounceDomain: string): string {
  return `${DMARC_LOCAL}@${bounceDomain.toLowerCase()}`;
}

/** Where TLS reports about our inbound domains go, unless the operator names another address. */
export function tlsReportAddress(bounceDomain: string): string {
  return `${TLS_LOCAL}@${bounceDomain.toLowerCase()}`;
}

/** A DMARC record that asks for aggregate reports at that address, unless it asks for them elsewhere. */
export function withReportAddress(record: string, address: string): string {
  if (/;\s*rua\s*=/i.test(record)) return record;
  return `${record.replace(/[;\s]+$/, '')}; rua=mailto:${address}`;
}

/** The name below which every domain must be found whose reports may come to `reportDomain`. */
const permissionRoot = (reportDomain: string): string => `_report._dmarc.${reportDomain}`;
export const PERMISSION_VALUE = 'v=DMARC1';

/** The record that lets reports about any domain come here: a wildcard (RFC 7489 section 7.1). */
export function permissionRecord(bounceDomain: string): { host: string; value: string } {
  return { host: `*.${permissionRoot(bounceDomain.toLowerCase())}`, value: PERMISSION_VALUE };
}

/** True for `<domain>._report._dmarc.<reportDomain>`, which the wildcard answers. Both in lower case. */
export function isPermissionName(name: string, reportDomain: string): boolean {
  return name.endsWith(`.${permissionRoot(reportDomain)}`);
}
