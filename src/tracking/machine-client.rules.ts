// Recognizes programs that open mail and follow its links, by the user agents and networks in config/machine-clients.json. All
// other clients count as people.
import { allowedAddressProblem, allowedAddressTest } from '../lib/addresses/index.js';
import { compileSafePattern, patternProblem } from '../lib/patterns/index.js';
import { type DataReader, readOperatorData } from '../lib/config/index.js';

const MAX_CLIENTS = 200;
const MAX_PATTERNS = 100;
const MAX_NETWORKS = 200;
/** A safe regular expression is linear for texts of this length. Characters. */
const MAX_USER_AGENT = 512;

interface MachineClient {
  name: string;
  /** User agents, of which any may match. `null` for any user agent. */
  userAgents: readonly RegExp[] | null;
  /** `null` for any network. */
  isFromItsNetwork: ((address: string) => boolean) | null;
}

export type MachineClients = readonly MachineClient[];

/**
 * Reads config/machine-clients.json: `{clients: [{name, user_agents?, networks?}]}`, with at least one of the two lists each; if
 * both are given, both must match. Throws DataProblems for invalid content.
 */
export function compileMachineClients(json: unknown): MachineClients {
  return readOperatorData('machine clients', (reader) => {
    const { clients } = reader.fields(json, 'the file', ['clients']);
    const seen = new Set<string>();
    return reader.list(clients, 'clients', MAX_CLIENTS).flatMap((value, i): MachineClient[] => {
      const place = `clients[${i}]`;
      const fields = reader.fields(value, place, ['name', 'user_agents', 'networks']);
      const name = reader.name(fields['name'], `${place}.name`);
      if (name === undefined) return [];
      if (seen.has(name)) reader.problem(place, `has the name of another entry: "${name}"`);
      seen.add(name);
      const { user_agents: agents, networks } = fields;
      if (agents === undefined && networks === undefined) {
        reader.problem(place, 'must have user_agents or networks');
      }
      return [
        {
          name,
          userAgents: agents === undefined ? null : patternsOf(reader, agents, `${place}.user_agents`),
          isFromItsNetwork:
            networks === undefined
              ? null
              : allowedAddressTest(networksOf(reader, networks, `${place}.networks`)),
        },
      ];
    });
  });
}

function patternsOf(reader: DataReader, value: unknown, place: string): RegExp[] {
  const patterns = reader.list(value, place, MAX_PATTERNS);
  if (patterns.length === 0) reader.problem(place, 'must have at least one pattern');
  return patterns.flatMap((source, i): RegExp[] => {
    const problem = typeof source === 'string' ? patternProblem(source) : 'must be a string';
    if (problem !== null || typeof source !== 'string') {
      reader.problem(`${place}[${i}]`, problem ?? '');
      return [];
    }
    try {
      return [compileSafePattern(source)];
    } catch {
      reader.problem(`${place}[${i}]`, 'must be a regular expression');
      return [];
    }
  });
}

function networksOf(reader: DataReader, value: unknown, place: string): string[] {
  const networks = reader.list(value, place, MAX_NETWORKS);
  if (networks.length === 0) reader.problem(place, 'must have at least one network');
  return networks.flatMap((network, i): string[] => {
    const problem = typeof network === 'string' ? allowedAddressProblem(network) : 'must be a string';
    if (problem === null) return [String(network)];
    reader.problem(`${place}[${i}]`, problem);
    return [];
  });
}

/** Returns the name of the program that the client is; `null` if it may be a person. `userAgent` is the client's header. */
export function findMachineClient(
  client: { address: string; userAgent: string | null },
  clients: MachineClients,
): string | null {
  const userAgent = (client.userAgent ?? '').slice(0, MAX_USER_AGENT);
  const found = clients.find(
    ({ userAgents, isFromItsNetwork }) =>
      (userAgents === null || userAgents.some((pattern) => pattern.test(userAgent))) &&
      (isFromItsNetwork === null || isFromItsNetwork(client.address)),
  );
  return found?.name ?? null;
}
