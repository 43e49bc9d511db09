// Assigns leases to nodes by rendezvous hashing (highest random weight), so a node that joins or leaves moves only its own share of
// the leases.

import type { NodeRole } from '../contract/names.js';

/** Work that one node at a time does, and the role that it takes. */
export const ROOMS = {
  schedules: 'schedules',
  campaigns: 'schedules',
  sequences: 'schedules',
  transfers: 'schedules',
  statistics: 'schedules',
  'delivery reports': 'relay',
  inbound: 'inbound',
  webhooks: 'webhooks',
  certificates: 'api',
} as const satisfies Record<string, NodeRole>;
export type RoomName = keyof typeof ROOMS;

/** Rooms that are divided by workspaces, each into so many leases. Stored in names, as `PARTS` is. */
const DIVIDED: ReadonlySet<RoomName> = new Set(['campaigns', 'sequences', 'webhooks']);
const ROOM_PARTS = 16;

/** The paths of a source are divided by their destinations into so many leases. Stored in names: it must not change. */
const PARTS = 64;

export interface Candidate {
  id: string;
  roles: readonly string[];
  /** Sources and smarthosts that mail can leave it by. */
  sources: readonly string[];
  isLeaving: boolean;
}

interface WantedLease {
  name: string;
  role: NodeRole;
  /** `null` for a room. */
  source: string | null;
}

/** The lease of a path: from a source, or a smarthost, to a group of destinations. */
export function pathLease(source: string, group: string): string {
  return pathPart(source, hash32(group) % PARTS);
}

/** The lease of a room's work for a workspace. */
export function roomLease(room: RoomName, workspaceNumber: number): string {
  return DIVIDED.has(room) ? roomPart(room, workspaceNumber % ROOM_PARTS) : `room ${room}`;
}

/** All leases of a room. */
export function roomLeases(room: RoomName): string[] {
  if (!DIVIDED.has(room)) return [`room ${room}`];
  return Array.from({ length: ROOM_PARTS }, (_, part) => roomPart(room, part));
}

/** All leases that the nodes are to have between them. */
export function wantedLeases(nodes: readonly Candidate[]): WantedLease[] {
  const rooms = Object.entries(ROOMS).flatMap(([room, role]) =>
    // A key of ROOMS.
    roomLeases(room as RoomName).map((name): WantedLease => ({ name, role, source: null })),
  );
  const sources = [...new Set(nodes.flatMap((node) => node.sources))].sort();
  const parts = sources.flatMap((source) =>
    Array.from({ length: PARTS }, (_, part): WantedLease => ({
      name: pathPart(source, part),
      role: 'mta',
      source,
    })),
  );
  return [...rooms, ...parts];
}

/** Returns the node that should have the lease; null if none can. */
export function wantedOwner({ name, role, source }: WantedLease, nodes: readonly Candidate[]): string | null {
  let owner: string | null = null;
  let heaviest = -1;
  for (const { id, roles, sources, isLeaving } of nodes) {
    if (isLeaving || !roles.includes(role) || (source !== null && !sources.includes(source))) continue;
    const weight = hash32(`${id} ${name}`);
    if (weight < heaviest || (weight === heaviest && owner !== null && owner < id)) continue;
    owner = id;
    heaviest = weight;
  }
  return owner;
}

function roomPart(room: RoomName, part: number): string {
  return `room ${room}#${part}`;
}

function pathPart(source: string, part: number): string {
  return `path ${source}#${part}`;
}

/** FNV-1a, mixed as MurmurHash3 ends, so that names that differ in one character lie far apart. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
