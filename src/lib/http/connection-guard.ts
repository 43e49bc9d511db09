// Keeps connections to the API from exhausting the process by limiting them in total and per client network.
// At a limit, a useless connection is closed for a new one: it is idle, its request does not arrive, or its
// peer does not read.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientSite } from '../rate-limits/index.js';

/** The share of one client network. */
const SITE_SHARE = 0.2;
/** The share of the process's descriptors; the rest is for files, mail and look-ups. */
const DESCRIPTOR_SHARE = 0.5;
/** A connection whose peer has not read the complete response for this long may be closed for others. */
const UNREAD_MS = 3_000;
/**
 * While a server closes: interval (ms) of the sweep, and the time that a connection may be without a request.
 */
const SWEEP_MS = 50;
const LINGER_MS = 1_000;

interface ConnectionLimits {
  total: number;
  perSite: number;
}

export interface ConnectionGuard {
  /**
   * Counts the server's connections together with those of other watched servers. Call it before the server
   * listens.
   */
  watch(server: Server): void;
  /** Returns the number of open connections. */
  count(): number;
  /**
   * Ends connections without a request while a server closes, including silent ones that Node would wait for.
   * Requests in progress continue. Call the result to stop.
   */
  sweep(): () => void;
}

interface Connection {
  socket: Socket;
  site: string;
  /** Start of its present state: open, with a request, or idle again; `performance.now()`. */
  since: number;
  exchange: { request: IncomingMessage; response: ServerResponse } | null;
}

/** Limits connections to `wanted`, and to half of the process's descriptors. */
export function connectionLimits(wanted: number, descriptors: number | null): ConnectionLimits {
  const total =
    descriptors === null
      ? wanted
      : Math.min(wanted, Math.max(Math.floor(descriptors * DESCRIPTOR_SHARE), 10));
  return { total, perSite: Math.max(Math.floor(total * SITE_SHARE), 1) };
}

/** Returns how many descriptors the process may open; `null` if unknown or unlimited. */
export function openDescriptors(): number | null {
  // Cached, because a report takes milliseconds and the limit does not change.
  descriptorLimit ??= { open: readDescriptorLimit() };
  return descriptorLimit.open;
}

let descriptorLimit: { open: number | null } | null = null;

function readDescriptorLimit(): number | null {
  // Typed as an object of anything.
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}

/** Creates a guard. `isUnlimited` identifies clients to which only the total applies, such as proxies. */
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

  /** Closes the least useful connection of a site, or of all. Returns false if every connection is busy. */
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
    if (ip === undefined) return; // already closed
    const site = clientSite(ip);
    if (!hasRoom(site, ip)) {
      socket.destroy();
      return;
    }
    const key = connectionKey(socket);
    const connection = { socket, site, since: performance.now(), exchange: null };
    connections.set(key, connection);
    sites.set(site, (sites.get(site) ?? 0) + 1);
    socket.once('close', () => drop(key, connection));
  }

  function note(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(connectionKey(request.socket));
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

/** Identifies a connection and the TLS session in it. */
function connectionKey({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}

/** Ranks a connection; 0 is the least useful, `null` is busy. */
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
