// Describes the ports of a running server for the operator.
import type { AddressInfo } from 'node:net';
import type { BoundPort } from '../operations/system.routes.js';
import type { HttpsListening } from '../http/server/https.js';
import type { MailPort } from './inbound.js';
import type { NameServerListening } from '../lib/dns/index.js';

const MAIL_PORTS = { inbound: 'inbound', relay: 'relay', 'relay with TLS': 'relay_tls' } as const;

/** Addresses that the program listens on. */
export interface Listening {
  /** Address of the API. */
  address: AddressInfo;
  /** Address of the API over TLS, or the reason why it is not available. */
  overTls: HttpsListening;
  mailPorts: readonly MailPort[];
  /** Address of the name server, or the reason why it is not available; null without a zone. */
  nameServer: NameServerListening | null;
  /** Address of the metrics; null if they are off. */
  metrics: { host: string; port: number } | null;
}

/** `overTls` is null if the settings do not enable it. */
export function boundPorts({
  address,
  overTls,
  mailPorts,
  nameServer,
  metrics,
}: Omit<Listening, 'overTls'> & { overTls: HttpsListening | null }): BoundPort[] {
  return [
    { name: 'api', host: address.address, port: address.port, note: null },
    ...(overTls === null ? [] : [answerOf('api_tls', overTls)]),
    ...mailPorts.map(mailPort),
    ...(nameServer === null ? [] : [answerOf('name_server', nameServer)]),
    ...(metrics === null ? [] : [{ name: 'metrics' as const, ...metrics, note: null }]),
  ];
}

function answerOf(name: BoundPort['name'], found: HttpsListening | NameServerListening): BoundPort {
  if (!found.ok) return { name, host: null, port: null, note: found.reason };
  return { name, host: found.address.address, port: found.address.port, note: null };
}

/** `at` is `host:port`; an IPv6 host may contain colons. */
function mailPort({ what, at, note }: MailPort): BoundPort {
  const name = MAIL_PORTS[what];
  if (at === null) return { name, host: null, port: null, note };
  const colon = at.lastIndexOf(':');
  return { name, host: at.slice(0, colon), port: Number(at.slice(colon + 1)), note };
}
