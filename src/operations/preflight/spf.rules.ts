// Reads an SPF record (RFC 7208 section 4.6.1 and 5) as a list of terms, and matches addresses against networks.
import ipaddr from 'ipaddr.js';
import { isAddress } from '../../lib/addresses/address-range.rules.js';

const MAX_RECORD = 4_000;
const MAX_TERMS = 100;

export type SpfQualifier = '+' | '-' | '~' | '?';

/** `unsupported`: a term that needs macros or the reverse name; what it says about an address is not known here. */
export type SpfTerm =
  | { kind: 'all'; qualifier: SpfQualifier }
  | { kind: 'ip'; qualifier: SpfQualifier; network: string; bits: number }
  /** Without a domain the record's own is meant. */
  | { kind: 'a' | 'mx'; qualifier: SpfQualifier; domain: string | null; bits4: number; bits6: number }
  | { kind: 'include'; qualifier: SpfQualifier; domain: string }
  | { kind: 'unsupported'; qualifier: SpfQualifier; text: string };

export type SpfRecord =
  { kind: 'record'; terms: SpfTerm[]; redirect: string | null } | { kind: 'broken'; term: string };

export type SpfText = { kind: 'none' } | { kind: 'several' } | { kind: 'one'; text: string };

/** What an SPF record says about an address (RFC 7208 section 2.6). `unsupported`: it needs macros. */
export interface SpfFinding {
  result: 'none' | 'neutral' | 'pass' | 'fail' | 'softfail' | 'temperror' | 'permerror' | 'unsupported';
  /** The record of the domain that was asked about; '' without one. */
  record: string;
  detail: string;
}

/** The SPF record among a name's TXT texts. RFC 7208 section 4.5: more than one is an error, not a choice. */
export function spfTextIn(texts: readonly string[]): SpfText {
  const found = texts.filter((text) => /^v=spf1( |$)/i.test(text));
  const [only] = found;
  if (only === undefined) return { kind: 'none' };
  return found.length > 1 ? { kind: 'several' } : { kind: 'one', text: only };
}

/** Unknown modifiers are left out, as the RFC wants; anything else that cannot be read breaks the record. */
export function parseSpf(text: string): SpfRecord {
  const words = text
    .slice(0, MAX_RECORD)
    .split(/ +/)
    .slice(1)
    .filter((word) => word !== '');
  if (text.length > MAX_RECORD || words.length > MAX_TERMS) return { kind: 'broken', term: 'its length' };
  const terms: SpfTerm[] = [];
  let redirect: string | null = null;
  for (const word of words) {
    const modifier = /^([a-z][a-z0-9._-]*)=(.*)$/i.exec(word);
    if (modifier) {
      if (modifier[1]?.toLowerCase() === 'redirect') {
        if (redirect !== null) return { kind: 'broken', term: word };
        redirect = modifier[2] ?? '';
      }
      continue;
    }
    const term = termOf(word);
    if (!term) return { kind: 'broken', term: word };
    terms.push(term);
  }
  return { kind: 'record', terms, redirect };
}

const MECHANISM = /^([+\-~?]?)(all|include|a|mx|ip4|ip6|ptr|exists)(?::([^/]*))?((?:\/\/?\d{1,3}){0,2})$/i;
const IP6_MECHANISM = /^([+\-~?]?)ip6:([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i;

function termOf(word: string): SpfTerm | null {
  const six = IP6_MECHANISM.exec(word);
  if (six) return ipTerm(qualifierOf(six[1]), six[2] ?? '', six[3], 128);
  const parts = MECHANISM.exec(word);
  if (!parts) return null;
  const [, sign, name = '', value, lengths = ''] = parts;
  const qualifier = qualifierOf(sign);
  if (value?.includes('%')) return { kind: 'unsupported', qualifier, text: word };
  switch (name.toLowerCase()) {
    case 'all':
      return value === undefined && lengths === '' ? { kind: 'all', qualifier } : null;
    case 'ip4':
      return ipTerm(qualifier, value ?? '', lengths === '' ? undefined : lengths.slice(1), 32);
    case 'include':
      return value ? { kind: 'include', qualifier, domain: value } : null;
    case 'a':
    case 'mx':
      return hostTerm(name.toLowerCase() === 'a' ? 'a' : 'mx', qualifier, value, lengths);
    case 'ptr':
    case 'exists':
      return { kind: 'unsupported', qualifier, text: word };
    default:
      return null;
  }
}

function qualifierOf(sign: string | undefined): SpfQualifier {
  return sign === '-' || sign === '~' || sign === '?' ? sign : '+';
}

function ipTerm(
  qualifier: SpfQualifier,
  network: string,
  length: string | undefined,
  width: 32 | 128,
): SpfTerm | null {
  const bits = length === undefined ? width : Number(length);
  const isRightKind = isAddress(network) && network.includes(':') === (width === 128);
  return isRightKind && bits <= width ? { kind: 'ip', qualifier, network, bits } : null;
}

function hostTerm(
  kind: 'a' | 'mx',
  qualifier: SpfQualifier,
  domain: string | undefined,
  lengths: string,
): SpfTerm | null {
  const [, four = '32', six = '128'] = /^(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/.exec(lengths) ?? [];
  const isRead = lengths === '' || /^(?:\/\d{1,3})?(?:\/\/\d{1,3})?$/.test(lengths);
  const [bits4, bits6] = [Number(four), Number(six)];
  if (!isRead || domain === '' || bits4 > 32 || bits6 > 128) return null;
  return { kind, qualifier, domain: domain ?? null, bits4, bits6 };
}

/** Whether the address is in the network of so many leading bits; false for addresses of two families. */
export function isInNetwork(address: string, network: string, bits: number): boolean {
  if (!isAddress(address) || !isAddress(network)) return false;
  const [one, other] = [ipaddr.process(address), ipaddr.process(network)];
  // Both are of one kind here, which the library's overloads cannot see.
  return one.kind() === other.kind() && one.match([other, bits]);
}
