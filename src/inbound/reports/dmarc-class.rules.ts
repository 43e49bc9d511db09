// Classifies a row of a DMARC report: mail sent by Mailkeel, forwarded by others, or sent by others in the domain's name.
import type { DmarcRecord } from '../../lib/sender-policy/index.js';

export const DMARC_CLASSES = ['ours_aligned', 'ours_not_aligned', 'forwarded', 'foreign'] as const;
export type DmarcClass = (typeof DMARC_CLASSES)[number];

export const DMARC_REASONS = [
  /** Mailkeel's signature verified, and the address is a smarthost or a sending IP that no setting names. */
  'address_not_declared',
  /** Mailkeel's signature did not verify. */
  'dkim_failed',
  /** The domain has no signature, and SPF passed for another domain. */
  'spf_of_another_domain',
  'not_signed',
  /** Mailkeel's signature verified at a foreign address. */
  'signature_intact',
  /** The receiver recognized the forwarder or the mailing list. */
  'named_by_receiver',
  /** Mailkeel's signature did not verify at a foreign address; a mailing list may have changed the message. */
  'signature_broken',
] as const;
type DmarcReason = (typeof DMARC_REASONS)[number];

/** The sending IPs that the settings name. */
export interface OwnSending {
  isOurAddress: (address: string) => boolean;
  /** False if mail also leaves through smarthosts, or from addresses that no setting names. */
  knowsAllAddresses: boolean;
}

export interface OwnKeys {
  /** Names below the domain belong to it. */
  domain: string;
  /** `selector domain` of every key that signs or has signed for it, and for the platform. */
  names: ReadonlySet<string>;
}

interface DmarcClassification {
  class: DmarcClass;
  reason: DmarcReason | null;
}

const FORWARDERS = new Set(['forwarded', 'trusted_forwarder', 'mailing_list']);

type Row = Pick<DmarcRecord, 'source_ip' | 'dkim' | 'spf' | 'reasons' | 'auth_dkim' | 'auth_spf'>;

export function classifyDmarcRow(row: Row, own: OwnKeys, sending: OwnSending): DmarcClassification {
  const signatures = row.auth_dkim.filter((signature) => isOurs(signature, own));
  const isSigned = signatures.some(({ result }) => result === 'pass');
  const isAligned = row.dkim === 'pass' || row.spf === 'pass';
  if (sending.isOurAddress(row.source_ip)) {
    return isAligned
      ? { class: 'ours_aligned', reason: null }
      : { class: 'ours_not_aligned', reason: whyNotAligned(row, own, signatures.length > 0) };
  }
  if (isSigned && !sending.knowsAllAddresses) {
    return isAligned
      ? { class: 'ours_aligned', reason: 'address_not_declared' }
      : { class: 'ours_not_aligned', reason: whyNotAligned(row, own, true) };
  }
  if (isSigned) return { class: 'forwarded', reason: 'signature_intact' };
  if (row.reasons.some((reason) => FORWARDERS.has(reason))) {
    return { class: 'forwarded', reason: 'named_by_receiver' };
  }
  return { class: 'foreign', reason: signatures.length > 0 ? 'signature_broken' : null };
}

/** Without a selector, the domain is enough, because the reporter has verified the signature. */
function isOurs({ domain, selector, result }: Row['auth_dkim'][number], own: OwnKeys): boolean {
  if (selector === '') return result === 'pass' && domain === own.domain;
  return own.names.has(`${selector.toLowerCase()} ${domain}`);
}

function whyNotAligned({ auth_dkim, auth_spf }: Row, own: OwnKeys, hasOurs: boolean): DmarcReason {
  const ofDomain = auth_dkim.filter(({ domain }) => isWithin(domain, own.domain));
  if (ofDomain.length > 0 || (hasOurs && auth_dkim.every(({ result }) => result !== 'pass'))) {
    return 'dkim_failed';
  }
  return auth_spf?.result === 'pass' ? 'spf_of_another_domain' : 'not_signed';
}

/** Returns whether the name is the domain or below it. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}
