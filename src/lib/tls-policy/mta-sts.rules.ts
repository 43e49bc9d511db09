// Reads and writes MTA-STS: the TXT record, the policy file, and the match of a mail host (RFC 8461
// sections 3.1, 3.2, 4.1).
import { createHash } from 'node:crypto';
import { addressDomain, domainProblem } from '../mime/index.js';

type StsMode = 'enforce' | 'testing' | 'none';

export interface StsPolicy {
  mode: StsMode;
  /** Lower case; a leading `*.` stands for exactly one label. Empty only with mode `none`. */
  mx: string[];
  /** Validity of the policy after its fetch: 0 to 31,557,600 seconds. */
  maxAgeS: number;
  /** The lines with these values as written in the file, for TLS reports. */
  lines: string[];
}

type ParsedStsPolicy =
  | { kind: 'policy'; policy: StsPolicy }
  /** `problem` never quotes the file. */
  | { kind: 'invalid'; problem: string };

/** 64 KiB (RFC 8461 section 3.3). */
export const MAX_POLICY_BYTES = 64 * 1024;
const MAX_AGE_S = 31_557_600;
/** Each line is stored and reported, so policies with unrealistically many hosts are rejected. */
const MAX_MX = 100;
const MAX_RECORD_CHARACTERS = 2_000;
const MAX_HOST_CHARACTERS = 253;

const RECORD_START = /^v=STSv1[ \t]{0,20};/;
const RECORD_FIELD = /^([A-Za-z0-9][A-Za-z0-9_.-]{0,31})=([\x21-\x3a\x3c\x3e-\x7e]+)$/;
const POLICY_ID = /^[A-Za-z0-9]{1,32}$/;
const POLICY_KEY = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;
const MODES: readonly string[] = ['enforce', 'testing', 'none'] satisfies StsMode[];

const isBlank = (character: string): boolean => character === ' ' || character === '\t';

/** Removes blanks and tabs at both ends; `trim` would also remove line breaks and Unicode spaces. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charAt(start))) start++;
  while (end > start && isBlank(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/**
 * Returns the policy id from the TXT records of `_mta-sts.<domain>`. Returns `null` unless exactly one is of
 * version STSv1 and well-formed, because otherwise the domain has no policy (RFC 8461 section 3.1).
 */
export function readStsRecords(texts: readonly string[]): string | null {
  const [record, ...more] = texts.filter((text) => RECORD_START.test(text));
  if (record === undefined || more.length > 0 || record.length > MAX_RECORD_CHARACTERS) return null;
  const fields = record.split(';').slice(1).map(trimBlanks);
  // The record may end with a semicolon.
  if (fields.at(-1) === '') fields.pop();
  let id: string | null = null;
  for (const field of fields) {
    const [, name, value = ''] = RECORD_FIELD.exec(field) ?? [];
    if (name === undefined) return null;
    if (name === 'id') id ??= value;
  }
  return id !== null && POLICY_ID.test(id) ? id : null;
}

/** The known fields of a policy file and their lines. The first value counts, except for `mx`. */
interface PolicyFields {
  once: Map<'version' | 'mode' | 'max_age', string>;
  mx: string[];
  lines: string[];
}

function readFields(text: string): PolicyFields | string {
  const fields: PolicyFields = { once: new Map(), mx: [], lines: [] };
  for (const rawLine of text.split('\n')) {
    const line = trimBlanks(rawLine.endsWith('\r') ? rawLine.slice(0, -1) : rawLine);
    if (line === '') continue;
    const colon = line.indexOf(':');
    const key = line.slice(0, Math.max(colon, 0));
    if (!POLICY_KEY.test(key)) return 'a line is not of the form "key: value"';
    const value = trimBlanks(line.slice(colon + 1));
    if (key === 'mx') {
      if (fields.mx.length === MAX_MX) return `there are more than ${MAX_MX} mx lines`;
      fields.mx.push(value.toLowerCase());
    } else if ((key === 'version' || key === 'mode' || key === 'max_age') && !fields.once.has(key)) {
      fields.once.set(key, value);
    } else {
      continue;
    }
    fields.lines.push(line);
  }
  return fields;
}

/** Accepts an ASCII host name with at least two labels, optionally after `*.`. */
function isPattern(pattern: string): boolean {
  const host = pattern.startsWith('*.') ? pattern.slice(2) : pattern;
  // A-labels convert to themselves.
  return host.length <= MAX_HOST_CHARACTERS && domainProblem(host) === null && canonicalName(host) === host;
}

/** Parses a policy file. Lines end with CRLF or LF; unknown keys are ignored (RFC 8461 section 3.2). */
export function parseStsPolicy(text: string): ParsedStsPolicy {
  const invalid = (problem: string): ParsedStsPolicy => ({ kind: 'invalid', problem });
  if (text.length > MAX_POLICY_BYTES) return invalid('the file is larger than 64 KiB');
  const fields = readFields(text);
  if (typeof fields === 'string') return invalid(fields);
  const { once, mx, lines } = fields;
  if (once.get('version') !== 'STSv1') return invalid('the version is missing or is not STSv1');
  const mode = once.get('mode');
  if (!isMode(mode)) return invalid('the mode is missing or is not enforce, testing or none');
  const age = once.get('max_age') ?? '';
  if (!/^[0-9]{1,10}$/.test(age) || Number(age) > MAX_AGE_S) {
    return invalid(`max_age is missing or is not a number of seconds from 0 to ${MAX_AGE_S}`);
  }
  if (mode !== 'none' && mx.length === 0) return invalid('there is no mx line');
  if (!mx.every(isPattern)) return invalid('an mx line does not hold a host name');
  return { kind: 'policy', policy: { mode, mx, maxAgeS: Number(age), lines } };
}

function isMode(text: string | undefined): text is StsMode {
  return text !== undefined && MODES.includes(text);
}

/** Converts to lower case and A-labels without a final dot. */
function canonicalName(name: string): string {
  return addressDomain(`postmaster@${name.endsWith('.') ? name.slice(0, -1) : name}`);
}

/**
 * Returns whether a policy allows a mail host. `*.example.com` allows `a.example.com`, but neither
 * `example.com` nor `a.b.example.com` (RFC 8461 section 4.1).
 */
export function stsMatches(mxHost: string, patterns: readonly string[]): boolean {
  const host = canonicalName(mxHost);
  const dot = host.indexOf('.');
  const parent = dot > 0 ? host.slice(dot + 1) : null;
  return patterns.some((pattern) => {
    const wanted = pattern.toLowerCase();
    return wanted.startsWith('*.') ? parent !== null && wanted.slice(2) === parent : wanted === host;
  });
}

/** Writes a policy file to publish. Throws a RangeError if the policy is invalid. */
export function buildStsPolicy(policy: Omit<StsPolicy, 'lines'>): string {
  const lines = [
    'version: STSv1',
    `mode: ${policy.mode}`,
    ...policy.mx.map((host) => `mx: ${host}`),
    `max_age: ${policy.maxAgeS}`,
  ];
  const text = lines.map((line) => `${line}\r\n`).join('');
  const parsed = parseStsPolicy(text);
  if (parsed.kind === 'invalid') throw new RangeError(`This is not an MTA-STS policy: ${parsed.problem}.`);
  if (parsed.policy.mx.length !== policy.mx.length) throw new RangeError('A mail host has a line break.');
  return text;
}

/** Returns the TXT value for a policy file. Its id derives from the content, so every change is announced. */
export function stsRecordValue(policyText: string): string {
  const id = createHash('sha256').update(policyText).digest('hex').slice(0, 20);
  return `v=STSv1; id=${id};`;
}

export interface InboundTlsRecord {
  purpose: 'mta_sts' | 'tls_report';
  type: 'TXT' | 'CNAME';
  host: string;
  value: string;
}

/**
 * Returns the records with which a domain asks senders to use TLS and to report failures: announcement and
 * host of the policy (RFC 8461 sections 3.1, 3.3), and the report address (RFC 8460 section 3).
 */
export function inboundTlsRecords(input: {
  domain: string;
  policyText: string;
  /** Serves the policy file over HTTPS at `mta-sts.<domain>`. */
  webHost: string;
  /** `null` requests no reports. */
  reportAddress: string | null;
}): InboundTlsRecord[] {
  const { domain, policyText, webHost, reportAddress } = input;
  return [
    { purpose: 'mta_sts', type: 'TXT', host: `_mta-sts.${domain}`, value: stsRecordValue(policyText) },
    { purpose: 'mta_sts', type: 'CNAME', host: `mta-sts.${domain}`, value: webHost },
    ...(reportAddress === null
      ? []
      : [
          {
            purpose: 'tls_report' as const,
            type: 'TXT' as const,
            host: `_smtp._tls.${domain}`,
            value: `v=TLSRPTv1; rua=mailto:${uriAddress(reportAddress)}`,
          },
        ]),
  ];
}

/**
 * Escapes characters that would end the address in a rua: comma, exclamation mark, semicolon (RFC 8460
 * section 3).
 */
function uriAddress(address: string): string {
  return encodeURIComponent(address).replaceAll('%40', '@').replaceAll('!', '%21');
}
