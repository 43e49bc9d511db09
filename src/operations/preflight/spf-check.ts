// Asks whether a domain's SPF record lets an address send (check_host of RFC 7208 section 4), without macros: a record
// that needs them is answered `unsupported`.
import type { AddressFamily, DnsAnswer } from '../../lib/dns/dns-answer.rules.js';
import {
  isInNetwork,
  parseSpf,
  spfTextIn,
  type SpfFinding,
  type SpfQualifier,
  type SpfTerm,
} from './spf.rules.js';
import type { DnsResolver, LookUpOptions } from '../../lib/dns/resolver.js';

/** RFC 7208 section 4.6.4. */
const MAX_LOOKUPS = 10;
const MAX_VOID_LOOKUPS = 2;
const MAX_MX_HOSTS = 10;

const RESULT_OF: Record<SpfQualifier, 'pass' | 'fail' | 'softfail' | 'neutral'> = {
  '+': 'pass',
  '-': 'fail',
  '~': 'softfail',
  '?': 'neutral',
};

interface Asking {
  resolver: Pick<DnsResolver, 'txt' | 'mx' | 'addresses'>;
  address: string;
  family: AddressFamily;
  options: LookUpOptions;
  lookups: number;
  voids: number;
}

/** Ends the evaluation from any depth. */
type Stop = Pick<SpfFinding, 'result' | 'detail'>;
type Match = 'match' | 'no' | 'maybe' | Stop;

/** What the SPF record of `domain` says about `address`. Asks at most 10 further names. */
export async function lookUpSpf(
  resolver: Asking['resolver'],
  domain: string,
  address: string,
  options: LookUpOptions = {},
): Promise<SpfFinding> {
  const family = address.includes(':') ? 6 : 4;
  return checkHost({ resolver, address, family, options, lookups: 0, voids: 0 }, domain);
}

async function checkHost(asking: Asking, domain: string): Promise<SpfFinding> {
  const answer = await asking.resolver.txt(domain, asking.options);
  if (answer.kind === 'failed') {
    return { result: 'temperror', record: '', detail: `${domain}: the look-up failed (${answer.reason})` };
  }
  const found = spfTextIn(answer.kind === 'found' ? answer.records : []);
  if (found.kind === 'none') return { result: 'none', record: '', detail: `${domain} has no SPF record` };
  if (found.kind === 'several') {
    return { result: 'permerror', record: '', detail: `${domain} has more than one SPF record` };
  }
  const record = parseSpf(found.text);
  if (record.kind === 'broken') {
    return { result: 'permerror', record: found.text, detail: `${record.term} cannot be read` };
  }
  const result = await judgeTerms(asking, domain, record.terms, record.redirect);
  return { ...result, record: found.text };
}

async function judgeTerms(
  asking: Asking,
  domain: string,
  terms: readonly SpfTerm[],
  redirect: string | null,
): Promise<Stop> {
  let isUncertain = false;
  for (const term of terms) {
    const match = await matchTerm(asking, domain, term);
    if (typeof match === 'object') return match;
    if (match === 'maybe' && term.qualifier !== '+')
      return { result: 'unsupported', detail: 'it needs macros' };
    if (match === 'maybe') isUncertain = true;
    if (match !== 'match') continue;
    const result = RESULT_OF[term.qualifier];
    // A pass would have come from the term before as well.
    if (isUncertain && result !== 'pass') break;
    return { result, detail: `by ${term.kind} in the record of ${domain}` };
  }
  if (isUncertain) return { result: 'unsupported', detail: 'it needs macros' };
  if (redirect === null || terms.some((term) => term.kind === 'all')) {
    return { result: 'neutral', detail: `the record of ${domain} does not name the address` };
  }
  return follow(asking, redirect);
}

async function follow(asking: Asking, redirect: string): Promise<Stop> {
  if (redirect.includes('%')) return { result: 'unsupported', detail: 'it needs macros' };
  const over = count(asking);
  if (over) return over;
  const { result, detail } = await checkHost(asking, redirect);
  return result === 'none' ? { result: 'permerror', detail } : { result, detail };
}

async function matchTerm(asking: Asking, domain: string, term: SpfTerm): Promise<Match> {
  if (term.kind === 'all') return 'match';
  if (term.kind === 'ip') return isInNetwork(asking.address, term.network, term.bits) ? 'match' : 'no';
  const over = count(asking);
  if (over) return over;
  switch (term.kind) {
    case 'unsupported':
      return 'maybe';
    case 'include':
      return matchInclude(asking, term.domain);
    case 'a':
      return matchHosts(asking, [term.domain ?? domain], term);
    case 'mx': {
      const answer = await asking.resolver.mx(term.domain ?? domain, asking.options);
      const hosts = answer.kind === 'found' ? answer.records.map(({ exchange }) => exchange) : [];
      const stop = stopOf(asking, answer);
      return stop ?? matchHosts(asking, hosts.slice(0, MAX_MX_HOSTS), term);
    }
  }
}

async function matchInclude(asking: Asking, domain: string): Promise<Match> {
  const { result, detail } = await checkHost(asking, domain);
  switch (result) {
    case 'pass':
      return 'match';
    case 'fail':
    case 'softfail':
    case 'neutral':
      return 'no';
    case 'unsupported':
      return 'maybe';
    case 'none':
      return { result: 'permerror', detail };
    case 'permerror':
    case 'temperror':
      return { result, detail };
  }
}

async function matchHosts(
  asking: Asking,
  hosts: readonly string[],
  { bits4, bits6 }: { bits4: number; bits6: number },
): Promise<Match> {
  const bits = asking.family === 4 ? bits4 : bits6;
  for (const host of hosts) {
    const answer = await asking.resolver.addresses(host, [asking.family], asking.options);
    const stop = stopOf(asking, answer);
    if (stop) return stop;
    const addresses = answer.kind === 'found' ? answer.records : [];
    if (addresses.some((network) => isInNetwork(asking.address, network, bits))) return 'match';
  }
  return 'no';
}

function count(asking: Asking): Stop | null {
  asking.lookups += 1;
  return asking.lookups > MAX_LOOKUPS
    ? { result: 'permerror', detail: `it takes more than ${MAX_LOOKUPS} look-ups` }
    : null;
}

function stopOf(asking: Asking, answer: DnsAnswer<unknown>): Stop | null {
  if (answer.kind === 'failed') {
    return { result: 'temperror', detail: `a look-up failed (${answer.reason})` };
  }
  if (answer.kind === 'found') return null;
  asking.voids += 1;
  return asking.voids > MAX_VOID_LOOKUPS
    ? { result: 'permerror', detail: 'more than 2 of its names do not exist' }
    : null;
}
