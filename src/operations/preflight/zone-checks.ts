// Checks the zone that is delegated to this server, as other resolvers see it.
import { askDnsServer } from '../../lib/dns/index.js';
import { type AddressFamily, canonicalHost } from '../../lib/dns-answers/index.js';
import { judgeDelegation, judgeNameServer, type NameServerFact } from './preflight-zone.rules.js';
import type { PreflightContext } from './preflight.js';
import type { PreflightSettings } from './settings.js';
import type { Check } from './source-checks.js';

const FRESH = { fresh: true };
const BOTH: readonly AddressFamily[] = [4, 6];
const ASK = { timeoutMs: 2_000, tries: 2 };
const REACH_MS = 3_000;
const MAX_NAME_SERVERS = 4;
const MAX_ADDRESSES = 4;

export function zoneChecks({
  resolver,
  probe,
  settings,
}: Pick<PreflightContext, 'resolver' | 'probe'> & { settings: Pick<PreflightSettings, 'zone'> }): Check[] {
  const { zone } = settings;
  if (zone === null) return [];
  return [
    {
      name: 'zone_delegation',
      subject: zone.name,
      run: async () => [judgeDelegation(zone, await resolver.ns(zone.name, FRESH))],
    },
    ...zone.nameServers.slice(0, MAX_NAME_SERVERS).map((server): Check => ({
      name: 'name_server',
      subject: server,
      async run(signal) {
        const answer = await resolver.addresses(server, BOTH, FRESH);
        const addresses = answer.kind === 'found' ? answer.records.slice(0, MAX_ADDRESSES) : [];
        const tries = addresses.map(async (address): Promise<NameServerFact> => {
          // The operator configured it, so it may be a private address.
          const target = { address, port: zone.port, timeoutMs: REACH_MS, greets: false, allowPrivate: true };
          const [udp, tcp] = await Promise.all([askForZone(zone, address), probe.reach(target, signal)]);
          return { address, udp, tcp };
        });
        return [judgeNameServer(server, zone, await Promise.all(tries))];
      },
    })),
  ];
}

async function askForZone(
  zone: { name: string; port: number },
  address: string,
): Promise<NameServerFact['udp']> {
  const name = canonicalHost(zone.name);
  const answer = await askDnsServer({ address, port: zone.port }, { name, type: 'SOA' }, ASK);
  if (answer.kind === 'failed') return answer;
  const soa = answer.reply.answers.find(
    (record) => record.type === 'SOA' && canonicalHost(record.name) === name,
  );
  return soa?.type === 'SOA' ? { kind: 'soa', primary: soa.data.mname } : { kind: 'none' };
}
