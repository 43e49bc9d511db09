// Mail servers that each have a loopback address on one port, as MX_PORT requires, and the domains that they accept mail for.
import { freePort } from './free-port.js';
import type { TestDnsServer } from './dns-server.js';
import { startScriptedPeer, type ScriptedPeer, type ScriptedPeerOptions } from './scripted-peer.js';
import { startSmtpSink, type SmtpSink, type SmtpSinkOptions } from './smtp-sink.js';

export type PeersByAddress = Awaited<ReturnType<typeof openPeers>>;

/** A server's address, or a server. */
type At = string | { host: string };

export async function openPeers() {
  const port = await freePort();
  const all: { close: () => Promise<void> }[] = [];
  let last = 10;

  /** A unique address without a listener. */
  const nobody = (): string => `127.0.7.${(last += 1)}`;

  function kept<T extends { close: () => Promise<void> }>(peer: T): T {
    all.push(peer);
    return peer;
  }

  return {
    port,
    nobody,
    async scripted(scripts: string | string[], options: ScriptedPeerOptions = {}): Promise<ScriptedPeer> {
      return kept(await startScriptedPeer(scripts, { ...options, host: nobody(), port }));
    },
    async sink(options: Partial<SmtpSinkOptions> = {}): Promise<SmtpSink> {
      return kept(await startSmtpSink({ keep: true, ...options, host: nobody(), port }));
    },
    /** Adds the domain's mail hosts in order of preference: mx1, mx2... of the domain. */
    serve(dns: TestDnsServer, domain: string, ...hosts: At[]): void {
      const names = hosts.map((_, index) => `mx${index + 1}.${domain}`);
      dns.set(
        domain,
        'MX',
        names.map((exchange, index) => ({ preference: 10 * (index + 1), exchange })),
      );
      hosts.forEach((at, index) => {
        dns.set(names[index] ?? '', 'A', [typeof at === 'string' ? at : at.host]);
      });
    },
    async close(): Promise<void> {
      for (const peer of all) await peer.close();
    },
  };
}
