// The checks of one source of direct delivery: reverse name, EHLO name, SPF, block lists, and port 25.
import { type DnsResolver, reverseName } from '../../lib/dns/index.js';
import { lookUpSpf } from '../../lib/authentication/index.js';
import { knownMailHosts } from '../../lib/smtp/index.js';
import { forbiddenAddressReason } from '../../lib/addresses/index.js';
import type { AddressFamily, DnsAnswer } from '../../lib/dns-answers/index.js';
import { dnsblName, judgeDnsbl, NEVER_LISTED } from './dnsbl.rules.js';
import {
  addressSubject,
  judgeEhloName,
  judgeListing,
  judgePort25,
  judgeReverse,
  judgeSpf,
  judgeTenantSpf,
  unknownResult,
  type CheckResult,
} from './preflight.rules.js';
import type { ReachFact } from '../../lib/smtp-replies/index.js';
import type { PreflightContext } from './preflight.js';
import type { PreflightSettings } from './settings.js';

export interface PreflightSource {
  name: string;
  /** `null` without an address of this family. If both are `null`, the system chooses. */
  address4: string | null;
  address6: string | null;
  ehloName: string;
}

export interface Check {
  name: CheckResult['name'];
  subject: string | null;
  run(signal: AbortSignal): Promise<CheckResult[]>;
}

const FRESH = { fresh: true };
const BOTH: readonly AddressFamily[] = [4, 6];
const MAX_PTR_NAMES = 5;
const MAX_PRESUMED = 4;
const REACH_MS = 5_000;

/** Returns the checks of a source, which may run concurrently. */
export async function sourceChecks(context: PreflightContext, source: PreflightSource): Promise<Check[]> {
  const { resolver, settings } = context;
  const { ehloName } = source;
  const ehlo = await resolver.addresses(ehloName, BOTH, FRESH);
  const outside = await outsideAddresses(context, source, ehlo);
  return [
    { name: 'ehlo_name', subject: ehloName, run: () => Promise.resolve([judgeEhloName(ehloName, ehlo)]) },
    ...ways(source).map((way) => port25Check(context, source, way)),
    ...outside.addresses.flatMap((address) => addressChecks(resolver, settings, { address, ehloName })),
    ...(outside.addresses.length === 0 ? [nothingKnown(source, outside.why)] : []),
  ];
}

interface Way {
  family: AddressFamily;
  localAddress: string | null;
}

function ways({ address4, address6 }: PreflightSource): Way[] {
  if (address4 === null && address6 === null) return [{ family: 4, localAddress: null }];
  return [
    ...(address4 === null ? [] : [{ family: 4 as const, localAddress: address4 }]),
    ...(address6 === null ? [] : [{ family: 6 as const, localAddress: address6 }]),
  ];
}

/** Returns the addresses that receivers see. Behind NAT, they are those of the EHLO name. */
async function outsideAddresses(
  { probe, settings }: PreflightContext,
  source: PreflightSource,
  ehlo: DnsAnswer<string>,
): Promise<{ addresses: string[]; why: string }> {
  const configured = [source.address4, source.address6].filter((address) => address !== null);
  const local = configured.length > 0 ? configured : [await probe.localAddress(4)].filter((a) => a !== null);
  // A private address counts if it is allowed and the operator has configured it.
  const allowPrivate = settings.allowPrivateMx && configured.length > 0;
  const isOutside = (address: string): boolean => forbiddenAddressReason(address, { allowPrivate }) === null;
  const observed = local.filter(isOutside);
  if (observed.length > 0) return { addresses: observed, why: '' };
  const presumed = ehlo.kind === 'found' ? ehlo.records.filter(isOutside).slice(0, MAX_PRESUMED) : [];
  return { addresses: presumed, why: local.join(', ') };
}

function nothingKnown({ name }: PreflightSource, why: string): Check {
  const observed = why === '' ? 'no network route' : `${why} is private, so the public IP address is unknown`;
  const remedy =
    'Publish an A or AAAA record for the EHLO name, or set the public IP address in the sources.';
  return {
    name: 'ptr',
    subject: name,
    run: () => Promise.resolve([unknownResult('ptr', name, observed, remedy)]),
  };
}

function addressChecks(
  resolver: DnsResolver,
  settings: PreflightSettings,
  { address, ehloName }: { address: string; ehloName: string },
): Check[] {
  const { bounceDomain, hostname, dnsbls } = settings;
  return [
    {
      name: 'ptr',
      subject: address,
      async run() {
        const ptr = await resolver.ptr(address, FRESH);
        const names = ptr.kind === 'found' ? ptr.records.slice(0, MAX_PTR_NAMES) : [];
        const forward = await lookUpAddresses(resolver, names, address.includes(':') ? [6] : [4]);
        return judgeReverse({ address, ehloName, ptr, forward });
      },
    },
    {
      name: 'spf',
      subject: addressSubject(address, bounceDomain),
      run: async () => [
        judgeSpf(bounceDomain, address, await lookUpSpf(resolver, bounceDomain, address, FRESH)),
      ],
    },
    {
      name: 'tenant_spf',
      subject: addressSubject(address, hostname),
      run: async () => [judgeTenantSpf(hostname, address, await resolver.addresses(hostname, BOTH, FRESH))],
    },
    ...dnsbls.map((zone) => listCheck(resolver, address, zone)),
  ];
}

async function lookUpAddresses(
  resolver: DnsResolver,
  names: readonly string[],
  families: readonly AddressFamily[],
): Promise<Map<string, DnsAnswer<string>>> {
  const answers = names.map(async (name): Promise<[string, DnsAnswer<string>]> => [
    name,
    await resolver.addresses(name, families, FRESH),
  ]);
  return new Map(await Promise.all(answers));
}

function listCheck(resolver: DnsResolver, address: string, zone: string): Check {
  return {
    name: 'dnsbl',
    subject: addressSubject(address, zone),
    async run() {
      const ask = (each: string): Promise<DnsAnswer<string>> =>
        resolver.addresses(dnsblName(reverseName(each), zone), [4], FRESH);
      const [answer, control] = await Promise.all([ask(address), ask(NEVER_LISTED)]);
      return [judgeListing(address, zone, judgeDnsbl(answer, control))];
    },
  };
}

function port25Check(
  { resolver, probe, settings }: PreflightContext,
  source: PreflightSource,
  way: Way,
): Check {
  const { domains, mxPort: port, allowPrivateMx: allowPrivate } = settings;
  const subject = way.localAddress ?? source.name;
  return {
    name: 'port_25',
    subject,
    async run(signal) {
      const targets = await knownMailHosts(resolver, domains, way.family);
      const tries = targets.map(async ({ host, address }): Promise<ReachFact> => {
        const local = way.localAddress === null ? {} : { localAddress: way.localAddress };
        const target = { address, port, ...local, timeoutMs: REACH_MS, greets: true, allowPrivate };
        return { host, address, outcome: await probe.reach(target, signal) };
      });
      return [judgePort25(subject, port, await Promise.all(tries))];
    },
  };
}
