// Evaluates a domain's SPF record for an address (check_host of RFC 7208 section 4). The package evaluates
// the record with its macros and counts look-ups; this file limits their time and number.
import type { DnsResolver, LookUpOptions } from '../dns/index.js';
import { rethrowProgrammingError } from '../runtime/index.js';
import { boundLookUps, lookUpWith } from './look-ups.js';
import { type SpfFinding, toSpfResult } from '../sender-policy/index.js';

/**
 * Evaluates the SPF record of `domain` for mail from `address`. Never rejects because of DNS or the record.
 */
export async function lookUpSpf(
  resolver: DnsResolver,
  domain: string,
  address: string,
  options: LookUpOptions = {},
): Promise<SpfFinding> {
  const lookUps = boundLookUps(lookUpWith(resolver, options), {});
  try {
    // Loaded late, because its character set tables take 2 MB, which most servers never need in this thread.
    const { default: mailauthSpf } = await import('mailauth/lib/spf/index.js');
    const { status, rr } = await mailauthSpf.spf({
      sender: `postmaster@${domain}`,
      helo: domain,
      ip: address,
      mta: domain,
      resolver: lookUps.resolver,
    });
    // The package puts the receiver's name first.
    const detail = (status.comment ?? '').slice(`${domain}: `.length);
    return { result: toSpfResult(status.result), record: rr ?? '', detail };
  } catch (error) {
    rethrowProgrammingError(error);
    return {
      result: 'permerror',
      record: '',
      detail: error instanceof Error ? error.message : String(error),
    };
  } finally {
    lookUps.end();
  }
}
