// Evaluates a domain's SPF record for an address (check_host of RFC 7208 section 4). The package evaluates the record,
// macros included, and counts its look-ups; time and number are bounded here.
import type { DnsResolver, LookUpOptions } from '../dns/index.js';
import { rethrowProgrammingError } from '../runtime/index.js';
import { boundLookUps, lookUpWith } from './look-ups.js';
import { type SpfFinding, spfResultOf } from '../sender-policy/index.js';

/** Evaluates the SPF record of `domain` for mail from `address`. DNS and the record never make it reject. */
export async function lookUpSpf(
  resolver: DnsResolver,
  domain: string,
  address: string,
  options: LookUpOptions = {},
): Promise<SpfFinding> {
  const lookUps = boundLookUps(lookUpWith(resolver, options), {});
  try {
    // Brings 2 MB of tables of character sets into memory, which most servers never need in this thread.
    const { default: mailauthSpf } = await import('mailauth/lib/spf/index.js');
    const { status, rr } = await mailauthSpf.spf({
      sender: `postmaster@${domain}`,
      helo: domain,
      ip: address,
      mta: domain,
      resolver: lookUps.resolver,
    });
    // The package begins with the name of the receiver.
    const detail = (status.comment ?? '').slice(`${domain}: `.length);
    return { result: spfResultOf(status.result), record: rr ?? '', detail };
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
