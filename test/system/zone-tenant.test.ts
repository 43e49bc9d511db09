// Tests a platform's zone that is delegated to Mailkeel: a customer is created and sends mail seconds later, and receivers find
// every record by the real delegation. The judges are third-party programs: unbound, mailauth, dkimpy with dig.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promises as dns } from 'node:dns';
import { authenticate } from 'mailauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePackages } from '../support/apt.js';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { startSmtpSink, type SinkMessage, type SmtpSink } from '../support/smtp-sink.js';
import { ensureUnbound, startUnbound, type Unbound } from '../support/unbound.js';
import { waitFor } from '../support/wait.js';

const PYTHON = '/usr/bin/python3';
const DIG = '/usr/bin/dig';
const hasDkimpy = (): boolean => spawnSync(PYTHON, ['-c', 'import dkim, nacl']).status === 0;
const skipReason =
  process.getuid?.() === 0
    ? (ensureUnbound() ??
      ensurePackages({
        packages: ['bind9-dnsutils', 'python3-dkim', 'python3-nacl'],
        isThere: () => existsSync(DIG) && hasDkimpy(),
      }))
    : 'needs root for port 53';
if (skipReason !== null) console.warn(`skipped: sub-tenants in a zone: ${skipReason}`);

/** The address of the name server, and the source address of mail. */
const HOST = '127.53.0.2';
const ZONE = 'mail.platform';

const DKIMPY = `
import dkim, subprocess, sys
def lookup(name, timeout=5):
    host, port = sys.argv[1].rsplit(':', 1)
    out = subprocess.run(['${DIG}', '@' + host, '-p', port, '+short', name.decode(), 'TXT'], capture_output=True, text=True).stdout
    return ''.join(out.strip().replace('\\\\;', ';').split('" "')).strip('"').encode()
message = sys.stdin.buffer.read()
for index in range(int(sys.argv[2])):
    print(dkim.DKIM(message).verify(idx=index, dnsfunc=lookup))
`;

describe.skipIf(skipReason !== null)('a sub-tenant in the zone', () => {
  let sink: SmtpSink;
  let unbound: Unbound;
  let appliance: Appliance;

  beforeAll(async () => {
    sink = await startSmtpSink({ keep: true });
    unbound = await startUnbound({
      records: [
        `${ZONE}. IN NS mx.${ZONE}.`,
        `mx.${ZONE}. IN A ${HOST}`,
        'box.receiver. IN MX 10 mx.receiver.',
        'mx.receiver. IN A 127.0.0.1',
      ],
      settings: ['do-not-query-localhost: no'],
    });
    appliance = await createAppliance({
      env: {
        MAILKEEL_HOSTNAME: `mx.${ZONE}`,
        MAILKEEL_PUBLIC_URL: `http://go.${ZONE}`,
        MAILKEEL_DNS_SERVERS: unbound.server,
        MAILKEEL_DNS_ZONE: ZONE,
        MAILKEEL_DNS_HOST: HOST,
        MAILKEEL_DNS_ADDRESSES: HOST,
        MAILKEEL_SOURCE_ADDRESSES: HOST,
        MAILKEEL_MX_PORT: String(sink.port),
        MAILKEEL_ALLOW_PRIVATE_MX: 'true',
        MAILKEEL_LOG_LEVEL: 'warn',
      },
    });
    await appliance.start();
  });

  afterAll(async () => {
    await appliance.close();
    await unbound.close();
    await sink.close();
  });

  /** Judges as a receiver does, starting at the root. */
  async function judge({ raw, from, ehlo, mailFrom }: SinkMessage) {
    const resolver = new dns.Resolver();
    resolver.setServers([unbound.server]);
    return authenticate(raw, {
      ip: from,
      helo: ehlo,
      sender: mailFrom,
      mta: 'mx.receiver',
      resolver: (name, type) => resolver.resolve(name, type) as Promise<never>,
    });
  }

  it('sends mail with SPF, DKIM and DMARC aligned within seconds after its creation', async () => {
    const begun = Date.now();
    const made = await appliance.api('POST', '/v1/sub-tenants', {
      body: { name: 'Acme', sending_domain: `acme.${ZONE}` },
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ status: 'verified', sending_domain: `acme.${ZONE}` });
    const records = made.json.dns_records as { purpose: string; status: string }[];
    const wrong = records.filter(({ status }) => status !== 'ok');
    // Nothing serves the links of this test.
    expect(wrong.filter(({ purpose }) => purpose !== 'tracking')).toEqual([]);

    const sent = await appliance.api('POST', '/v1/messages', {
      body: { from: `hello@acme.${ZONE}`, to: 'anna@box.receiver', subject: 'Hello', text: 'It works.' },
      headers: { 'x-sub-tenant-id': made.json.id as string },
    });
    expect(sent.status).toBe(202);
    await waitFor('the mail is there', () => sink.messages.length === 1);
    const tookMs = Date.now() - begun;
    console.info(`made, sent and delivered in ${tookMs} ms`);

    const [mail] = sink.messages;
    if (!mail) throw new Error('There is no mail.');
    expect(mail.mailFrom).toMatch(new RegExp(`@bounce\\.acme\\.${ZONE}$`));
    expect(mail.from).toBe(HOST);
    const { spf, dkim, dmarc } = await judge(mail);
    expect(spf && { result: spf.status.result, domain: spf.domain }).toEqual({
      result: 'pass',
      domain: `bounce.acme.${ZONE}`,
    });
    expect(dkim.results.map(({ status }) => status.result)).toEqual(['pass', 'pass']);
    expect(dmarc && { ...dmarc, result: dmarc.status.result }).toMatchObject({
      result: 'pass',
      policy: 'quarantine',
      alignment: { dkim: { result: `acme.${ZONE}` } },
    });
    const { stdout, stderr } = spawnSync(PYTHON, ['-c', DKIMPY, unbound.server, '2'], {
      input: mail.raw,
      encoding: 'utf8',
    });
    expect([stdout.trim().split('\n'), stderr]).toEqual([['True', 'True'], '']);
  });

  it("is deleted with its names, and the start shows the name server's port", async () => {
    const { json } = await appliance.api('GET', '/v1/sub-tenants');
    const [{ id } = { id: '' }] = json.data as { id: string }[];
    expect((await appliance.api('DELETE', `/v1/sub-tenants/${id}`)).status).toBe(200);
    const { stdout } = spawnSync(DIG, [`@${HOST}`, `_dmarc.acme.${ZONE}`, 'TXT'], { encoding: 'utf8' });
    expect(stdout).toMatch(/status: NXDOMAIN/);
    expect(appliance.output()).toMatch(new RegExp(`^  Name server   ${HOST}:53, for ${ZONE}$`, 'm'));
  });
});

describe.skipIf(skipReason !== null)('without its port', () => {
  it('the server starts, explains why, and continues', async () => {
    const env = { MAILKEEL_DNS_ZONE: ZONE, MAILKEEL_DNS_HOST: HOST };
    const first = await createAppliance({ process: 'shared', env });
    const second = await createAppliance({ process: 'shared', env });
    try {
      await first.start();
      await second.start();
      expect(second.output()).toContain(
        `Name server   unavailable: ${HOST}, port 53: another program is using this port`,
      );
      expect((await second.api('GET', '/v1/sub-tenants')).status).toBe(200);
    } finally {
      await first.close();
      await second.close();
    }
  });
});
