// Keeps connections to the API from using up the process: so many at once, in all and of one client network. At a limit, one that
// is of no use is closed for a new one: it is idle, or its request does not come, or its peer does not read.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientSite } from '../rate-limits/index.js';

/** The share of one client network. */
const SITE_SHARE = 0.2;
/** Of the descriptors that the process may open; the rest is for files, mail and look-ups. */
const DESCRIPTOR_SHARE = 0.5;
/** A connection whose peer has not read its whole answer for so long may be closed for others. */
const UNREAD_MS = 3_000;
/** When a server closes: interval (ms) of looks at its connections, and the time that one may be without a request. */
const SWEEP_MS = 50;
const LINGER_MS = 1_000;

export interface ConnectionLimits {
  total: number;
  perSite: number;
}

export interface ConnectionGuard {
  /** Counts the server's connections with those of the others. Call it before the server listens. */
  watch(server: Server): void;
  /** Open now. */
  count(): number;
  /**
   * For a server that closes: ends connections without a request, those of clients that connect and are silent too, which
   * Node would wait for. Requests under way go on. Until the returned function is called.
   */
  sweep(): () => void;
}

interface Connection {
  socket: Socket;
  site: string;
  /** Since when it is as it is: open, or with a request, or without one again. `performance.now()`. */
  since: number;
  exchange: { request: IncomingMessage; response: ServerResponse } | null;
}

/** At most half of what the system lets this process open. */
export function connectionLimits(wanted: number, descriptors: number | null): ConnectionLimits {
  const total =
    descriptors === null
      ? wanted
      : Math.min(wanted, Math.max(Math.floor(descriptors * DESCRIPTOR_SHARE), 10));
  return { total, perSite: Math.max(Math.floor(total * SITE_SHARE), 1) };
}

/** Number of descriptors that the system lets this process open; null where that is unknown or without limit. */
export function openDescriptors(): number | null {
  // A report takes milliseconds, and the limit is the process's own.
  descriptorLimit ??= { open: readDescriptorLimit() };
  return descriptorLimit.open;
}

let descriptorLimit: { open: number | null } | null = null;

function readDescriptorLimit(): number | null {
  // typed as an object of anything
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}

/** `isUnlimited`: clients that are held by the total only, as proxies are. */
export function createConnectionGuard(
  limits: ConnectionLimits,
  isUnlimited: (ip: string) => boolean,
  unreadMs: number = UNREAD_MS,
): ConnectionGuard {
  const connections = new Map<string, Connection>();
  const sites = new Map<string, number>();

  function drop(key: string, connection: Connection): void {
    if (connections.get(key) !== connection) return;
    connections.delete(key);
    const left = (sites.get(connection.site) ?? 1) - 1;
    if (left > 0) sites.set(connection.site, left);
    else sites.delete(connection.site);
    connection.socket.destroy();
  }

  /** Ends the least useful connection, of a site or of all; false when every one is at work. */
  function makeRoom(site: string | null): boolean {
    const now = performance.now();
    let worst: { key: string; connection: Connection; rank: number } | null = null;
    for (const [key, connection] of connections) {
      if (site !== null && connection.site !== site) continue;
      const rank = uselessness(connection, now - unreadMs);
      if (rank === null || (worst !== null && compare(rank, connection, worst) >= 0)) continue;
      worst = { key, connection, rank };
    }
    if (worst !== null) drop(worst.key, worst.connection);
    return worst !== null;
  }

  function hasRoom(site: string, ip: string): boolean {
    if (!isUnlimited(ip) && (sites.get(site) ?? 0) >= limits.perSite && !makeRoom(site)) return false;
    return connections.size < limits.total || makeRoom(null);
  }

  function enter(socket: Socket): void {
    const ip = socket.remoteAddress;
    if (ip === undefined) return; // gone already
    const site = clientSite(ip);
    if (!hasRoom(site, ip)) {
      socket.destroy();
      return;
    }
    const key = keyOf(socket);
    const connection = { socket, site, since: performance.now(), exchange: null };
    connections.set(key, connection);
    sites.set(site, (sites.get(site) ?? 0) + 1);
    socket.once('close', () => drop(key, connection));
  }

  function note(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(keyOf(request.socket));
    if (connection === undefined) return;
    connection.exchange = { request, response };
    connection.since = performance.now();
    response.once('close', () => {
      if (connection.exchange?.response !== response) return;
      connection.exchange = null;
      connection.since = performance.now();
    });
  }

  return {
    watch(server) {
      server.on('connection', enter);
      server.prependListener('request', note);
    },
    count: () => connections.size,
    sweep() {
      const timer = setInterval(() => {
        const before = performance.now() - LINGER_MS;
        for (const [key, connection] of connections)
          if (connection.exchange === null && connection.since <= before) drop(key, connection);
      }, SWEEP_MS);
      return () => clearInterval(timer);
    },
  };
}

/** The same for a connection and for the TLS session in it. */
function keyOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}

/** 0 is the least useful; null: it is at work. */
function uselessness({ exchange, since }: Connection, unreadSince: number): number | null {
  if (exchange === null) return 0;
  if (!exchange.request.complete) return 1;
  const isUnread = exchange.response.writableEnded && !exchange.response.writableFinished;
  return isUnread && since <= unreadSince ? 2 : null;
}

function compare(
  rank: number,
  connection: Connection,
  other: { rank: number; connection: Connection },
): number {
  return rank - other.rank || connection.since - other.connection.since;
}
