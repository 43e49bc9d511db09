// Receivers with certificates and MTA-STS policies, for mail over TLS: one DNS server, one authority that is trusted in addition
// to the public ones, one policy host for all domains, and mail hosts on loopback addresses that share a port.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { chainOf, issueCertificate, type CertificateWish } from './certificate-chain.js';
import { startDnsServer } from './dns-server.js';
import { freePort } from './free-port.js';
import { startScriptedPeer, type ScriptedPeer, type ScriptedPeerOptions } from './scripted-peer.js';
import { startSmtpSink, type SmtpSink, type SmtpSinkOptions } from './smtp-sink.js';

/** A policy file, an HTTP status, or no response at all. */
export type PolicyAnswer =
  | { mode: 'enforce' | 'testing' | 'none'; mx: string[] }
  | { status: number }
  | 'silence';

export type TlsWorld = Awaited<ReturnType<typeof startTlsWorld>>;

export async function startTlsWorld() {
  const dns = await startDnsServer();
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-tls-'));
  const authority = issueCertificate({ commonName: 'Authority of the test', isAuthority: true });
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, authority.cert);
  const policies = new Map<string, PolicyAnswer>();
  /** Domains whose policy was fetched, in order. */
  const fetches: string[] = [];
  const port = await freePort();
  const hosts: { close: () => Promise<void> }[] = [];

  const policyHost = createServer(
    {
      SNICallback: (name, done) =>
        done(
          null,
          createSecureContext(
            chainOf(issueCertificate({ names: [name], issuer: authority, keyOf: authority })),
          ),
        ),
    },
    (request, response) => {
      const domain = (request.headers.host ?? '').replace(/^mta-sts\./, '').replace(/:\d+$/, '');
      fetches.push(domain);
      answer(response, policies.get(domain) ?? { status: 404 });
    },
  );
  await new Promise<void>((resolve) => policyHost.listen(0, '127.0.0.1', resolve));

  return {
    dns,
    port,
    /** PEM. */
    authority: authority.cert,
    fetches,
    /** Settings of a server that sends into this world. */
    env: {
      MAILKEEL_DNS_SERVERS: dns.address,
      MAILKEEL_MX_PORT: String(port),
      MAILKEEL_MTA_STS_PORT: String((policyHost.address() as AddressInfo).port),
      MAILKEEL_EXTRA_CA_FILE: caFile,
      MAILKEEL_ALLOW_PRIVATE_MX: 'true',
      MAILKEEL_MTA_WORKERS: '1',
    },
    /** Issued by the authority, unless the wish names another issuer. */
    certificate: (wish: CertificateWish) =>
      issueCertificate({ issuer: authority, keyOf: authority, ...wish }),
    /** The MX hosts of a domain, in their order, with their loopback addresses. */
    mail(domain: string, hosts: Record<string, string>): void {
      const names = Object.keys(hosts);
      dns.set(
        domain,
        'MX',
        names.map((exchange, i) => ({ preference: 10 * (i + 1), exchange })),
      );
      for (const [name, address] of Object.entries(hosts)) dns.set(name, 'A', [address]);
    },
    /** Announces a policy, which the policy host then returns. */
    announce(domain: string, policy: PolicyAnswer, id = '1'): void {
      dns.set(`_mta-sts.${domain}`, 'TXT', [`v=STSv1; id=${id};`]);
      dns.set(`mta-sts.${domain}`, 'A', ['127.0.0.1']);
      policies.set(domain, policy);
    },
    async sink(options: Partial<SmtpSinkOptions> = {}): Promise<SmtpSink> {
      const sink = await startSmtpSink({ keep: true, port, ...options });
      hosts.push(sink);
      return sink;
    },
    async peer(scripts: string[], options: ScriptedPeerOptions): Promise<ScriptedPeer> {
      const peer = await startScriptedPeer(scripts, { port, ...options });
      hosts.push(peer);
      return peer;
    },
    async close() {
      for (const host of hosts) await host.close();
      policyHost.closeAllConnections();
      await new Promise((resolve) => policyHost.close(resolve));
      await dns.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answer(response: ServerResponse, policy: PolicyAnswer): void {
  if (policy === 'silence') return;
  if ('status' in policy) {
    response.writeHead(policy.status).end();
    return;
  }
  const lines = [
    'version: STSv1',
    `mode: ${policy.mode}`,
    ...policy.mx.map((host) => `mx: ${host}`),
    'max_age: 86400',
  ];
  response.writeHead(200, { 'content-type': 'text/plain' }).end(`${lines.join('\r\n')}\r\n`);
}
