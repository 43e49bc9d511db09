// Assigns each path to one node of a cluster, which alone counts its limits. A node claims mail only for paths whose leases it
// holds.
import type { Capacity, Hold, Limit } from './limit.js';
import { UNLIMITED } from './limit.js';
import type { SourceSite } from './circuit-breakers.js';
import type { PathUse } from './path-limits.js';
import type { Path } from './paths.js';
import { smarthostSite } from '../route/egress-pools.js';

/** Says which node each path belongs to. */
export interface PathOwners {
  /** Whether this node delivers mail from the source or smarthost to the group of destinations. */
  owns(source: string, group: string): boolean;
  /** Whether other nodes run. */
  readonly hasPeers: boolean;
  /** Whether any running node can send from the source. */
  hasNode(source: string): boolean;
  /** Whether this node can send from the source. */
  isUsable(source: string): boolean;
  leaseOf(source: string, group: string): string;
  /** Whether this node holds the lease, or has not released it yet. */
  holds(lease: string): boolean;
}

const CLOSED: Capacity = {
  kind: 'closed',
  reason: { code: 'concurrency_limited', until: null, detail: 'Another node is delivering on this path.' },
  isElsewhere: true,
};

const UNREACHABLE: Capacity = {
  kind: 'closed',
  reason: { code: 'source_unreachable', until: null, detail: 'No node has the IP address of the source.' },
  isSourceDown: true,
};

export class PathLeases implements Limit<PathUse> {
  readonly name = 'path lease';
  readonly #owners: PathOwners;
  /** Messages in flight, by lease. */
  readonly #inFlight = new Map<string, number>();

  constructor(owners: PathOwners) {
    this.#owners = owners;
  }

  check({ path }: PathUse): Capacity {
    const source = leaseSource(path);
    if (this.#owners.owns(source, path.group)) return UNLIMITED;
    return this.#owners.hasNode(source) ? CLOSED : UNREACHABLE;
  }

  reserve({ path }: PathUse, count: number): Hold {
    const lease = this.leaseOf(path);
    this.#inFlight.set(lease, this.inFlight(lease) + count);
    return (ended) => {
      const left = this.inFlight(lease) - ended;
      if (left > 0) this.#inFlight.set(lease, left);
      else this.#inFlight.delete(lease);
      return false;
    };
  }

  holds(lease: string): boolean {
    return this.#owners.holds(lease);
  }

  inFlight(lease: string): number {
    return this.#inFlight.get(lease) ?? 0;
  }

  leaseOf(path: Path): string {
    return this.#owners.leaseOf(leaseSource(path), path.group);
  }

  /** Whether a source as a whole is known by what other nodes store: mail cannot leave this one by it. */
  isOfOthers(source: string): boolean {
    return !this.#owners.isUsable(source);
  }

  /** Returns the lease of a site as seen from a source. A source as a whole belongs to no lease. */
  leaseOfSite({ source, site, provider }: SourceSite): string | null {
    return this.leaseOfKey(`${source} > ${provider ?? site}`);
  }

  /** Returns the lease of a path's key, `source > group`. Keys of sources as a whole belong to no lease. */
  leaseOfKey(key: string): string | null {
    const at = key.indexOf(' > ');
    const group = key.slice(at + 3);
    if (at === -1 || group === '*') return null;
    const source = key.slice(0, at);
    return this.#owners.leaseOf(group === smarthostSite(source) ? group : source, group);
  }
}

function leaseSource({ plan: { via, source } }: Path): string {
  // A source may have the name of a smarthost.
  return via === 'smarthost' ? smarthostSite(source) : source;
}
