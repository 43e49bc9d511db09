// Tests the first mail from end to end: accepted, signed with the tenant's own key, accepted by a real Postfix, verified by
// third-party programs with the keys in DNS, reported by webhook and trail, and proven.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, mailkeel, type Appliance } from '../support/appliance.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { startHttpReceiver, type HttpReceiver } from '../support/http-receiver.js';
import { asOnTheWire, DKIM_VERIFIERS, ensureMailOracles, readMail } from '../support/mail-oracles.js';
import { addTenant, publish, receives, type DnsRecord, type AuditTrailEntry } from '../support/mail-rig.js';
import { ensurePostfix, startPostfix, type Postfix } from '../support/postfix.js';
import { sized } from '../support/run-size.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensurePostfix() ?? ensureMailOracles();
if (skipReason !== null) console.warn(`skipped: the first mail: ${skipReason}`);

const PLATFORM_DOMAIN = 'platform.example';
const SUBJECT = 'Grüße aus Köln – 日本語 🎉';
const TEXT = 'Zeile eins\n\n. ein Punkt am Anfang\nFrom hier an\nÜmläute und 日本語  \n';
const HTML = '<p>Hällo <b>Welt</b> <img src="cid:logo@shop"></p>\n<p>. dot</p>\n';
const PDF = randomBytes(50_000);
const LOGO = randomBytes(3_000);

interface Sent {
  from: string;
  to: string;
  domain: string;
  type: 'transactional' | 'marketing';
}

const MAILS: Sent[] = [
  {
    from: 'Boutique <hi@boutique.example>',
    to: 'a@one.example',
    domain: 'boutique.example',
    type: 'transactional',
  },
  { from: 'bike@bikes.example', to: 'b@two.example', domain: 'bikes.example', type: 'transactional' },
  { from: 'bike@bikes.example', to: 'c@two.example', domain: 'bikes.example', type: 'marketing' },
  { from: `team@${PLATFORM_DOMAIN}`, to: 'd@one.example', domain: PLATFORM_DOMAIN, type: 'transactional' },
];

/** One byte in this many of a proof is changed. */
const EACH = sized({ small: 16, full: 1 });

describe.skipIf(skipReason !== null)('the first mail', () => {
  let dns: TestDnsServer;
  let postfix: Postfix;
  let receiver: HttpReceiver;
  let appliance: Appliance;
  let secret: string;
  const tenants = new Map<string, string>();
  const ids = new Map<Sent, string>();
  const mailbox = new Map<string, Buffer>();

  beforeAll(async () => {
    dns = await startDnsServer();
    for (const domain of ['one.example', 'two.example']) receives(dns, domain);
    postfix = await startPostfix();
    receiver = await startHttpReceiver();
    appliance = await createAppliance({
      env: {
        MAILKEEL_DNS_SERVERS: dns.address,
        MAILKEEL_MX_PORT: String(postfix.port),
        MAILKEEL_ALLOW_PRIVATE_MX: 'true',
        MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true',
        MAILKEEL_DNS_NEGATIVE_CACHE: '100ms',
        MAILKEEL_LOG_LEVEL: 'warn',
      },
    });
    await appliance.start();
    await setUp();
    for (const mail of MAILS) ids.set(mail, await send(mail));
    const stored = await waitFor(
      'all mail in the mailbox',
      () => postfix.mailbox(),
      (messages) => messages.length >= MAILS.length,
      60_000,
    );
    expect(stored).toHaveLength(MAILS.length);
    for (const message of stored) {
      const to = /^Delivered-To: (.*)$/m.exec(message.toString('latin1'))?.[1] ?? '';
      mailbox.set(to, asOnTheWire(message));
    }
  });

  afterAll(async () => {
    await appliance.close();
    await receiver.close();
    await postfix.close();
    await dns.close();
  });

  async function setUp(): Promise<void> {
    for (const domain of ['boutique.example', 'bikes.example']) {
      tenants.set(domain, await addTenant(appliance, dns, domain));
    }
    const sender = await appliance.api('POST', '/v1/senders', { body: { domain: PLATFORM_DOMAIN } });
    expect(sender.status).toBe(201);
    const { id, dns_records: records } = sender.json as { id: string; dns_records: DnsRecord[] };
    publish(dns, records);
    const verified = await appliance.api('POST', `/v1/senders/${id}/verify`);
    expect(verified.json).toMatchObject({ status: 'verified' });
    const endpoint = await appliance.api('POST', '/v1/webhook-endpoints', {
      body: { url: `${receiver.url}/hook` },
    });
    expect(endpoint.status).toBe(201);
    ({ secret } = endpoint.json as { secret: string });
    await appliance.api('PATCH', '/v1/organization', { body: { postal_address: 'Ring 1, 50667 Köln' } });
    const contact = { email: 'c@two.example', sub_tenant_id: tenants.get('bikes.example') };
    expect((await appliance.api('POST', '/v1/contacts', { body: contact })).status).toBe(201);
  }

  async function send(mail: Sent): Promise<string> {
    const answer = await appliance.api('POST', '/v1/messages', {
      body: {
        from: mail.from,
        to: mail.to,
        subject: SUBJECT,
        text: TEXT,
        html: HTML,
        type: mail.type,
        track_opens: false,
        track_clicks: false,
        ...(tenants.has(mail.domain) ? { sub_tenant_id: tenants.get(mail.domain) } : {}),
        attachments: [
          {
            filename: 'Rechnung für Jürgen.pdf',
            content: PDF.toString('base64'),
            content_type: 'application/pdf',
          },
          { filename: 'logo.png', content: LOGO.toString('base64'), content_id: 'logo@shop' },
        ],
      },
    });
    expect(answer.status, answer.text).toBe(202);
    return (answer.json as { id: string }).id;
  }

  const received = (mail: Sent): Buffer => mailbox.get(mail.to) ?? Buffer.alloc(0);
  const idOf = (mail: Sent): string => ids.get(mail) ?? '';

  async function trailOf(mail: Sent): Promise<AuditTrailEntry[]> {
    return waitFor(
      `${mail.to} to be delivered`,
      async () => {
        const { json } = await appliance.api('GET', `/v1/messages/${idOf(mail)}/audit`);
        return (json as { trail: AuditTrailEntry[] }).trail;
      },
      (trail) => trail.some(({ event }) => event === 'delivered'),
    );
  }

  describe.each(DKIM_VERIFIERS)('its signatures with $verifier', ({ verify, knows }) => {
    it.each(MAILS)('verify for $domain to $to', async (mail) => {
      const all = await verify(received(mail), dns.port);
      const verdicts = all.filter(({ algorithm }) => knows.includes(algorithm));
      expect(verdicts.map(({ algorithm }) => algorithm).sort()).toEqual([...knows].sort());
      expect(verdicts.filter(({ valid }) => !valid)).toEqual([]);
      expect([...new Set(verdicts.map(({ domain }) => domain))]).toEqual([mail.domain]);
      const covered = verdicts[0]?.signedFields ?? [];
      for (const field of ['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type']) {
        expect(covered).toContain(field);
      }
      if (mail.type === 'marketing') {
        expect(covered).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']));
      }
    });

    it('fail if one octet of the body changes', async () => {
      const [mail] = MAILS;
      if (!mail) throw new Error('no mail');
      const octets = Buffer.from(received(mail));
      const at = octets.indexOf('\r\n\r\n') + 200;
      octets[at] = octets[at] === 0x41 ? 0x42 : 0x41;
      const verdicts = await verify(octets, dns.port);
      expect(verdicts.length).toBeGreaterThan(0);
      expect(verdicts.filter(({ valid }) => valid)).toEqual([]);
    });
  });

  it.each(MAILS)('to $to arrives byte for byte', async (mail) => {
    const { headers, parts } = await readMail(received(mail));
    expect(headers['subject']).toBe(SUBJECT);
    expect(headers['from']).toContain(mail.from.replace(/.*<|>/g, ''));
    expect(headers['to']).toContain(mail.to);
    const [text, html] = parts;
    // On the wire, lines end in CRLF; nothing else may change.
    const lines = (part: typeof text) => part?.content.toString('utf8').replaceAll('\r\n', '\n') ?? '';
    expect(text).toMatchObject({ type: 'text/plain', charset: 'utf-8' });
    expect(html).toMatchObject({ type: 'text/html', charset: 'utf-8' });
    // Marketing mail ends with the postal address and the unsubscribe link.
    for (const [part, content] of [
      [text, TEXT],
      [html, HTML],
    ] as const) {
      if (mail.type === 'marketing') expect(lines(part)).toContain('/u/');
      else expect(lines(part)).toBe(content);
    }
    const pdf = parts.find(({ type }) => type === 'application/pdf');
    expect(pdf).toMatchObject({ filename: 'Rechnung für Jürgen.pdf', disposition: 'attachment' });
    expect(pdf?.content.equals(PDF)).toBe(true);
    const logo = parts.find(({ contentId }) => contentId === '<logo@shop>');
    expect(logo).toMatchObject({ type: 'image/png', disposition: 'inline', filename: 'logo.png' });
    expect(logo?.content.equals(LOGO)).toBe(true);
  });

  it('can be unsubscribed from with one click as marketing, and has no such fields as transactional', async () => {
    for (const mail of MAILS) {
      const { headers } = await readMail(received(mail));
      if (mail.type === 'marketing') {
        expect(headers['list-unsubscribe']).toMatch(/<https?:\/\/[^>]+\/u\/[^>]+>/);
        expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
      } else expect(headers['list-unsubscribe']).toBeUndefined();
    }
  });

  it('has its own return path, and was sent over TLS', async () => {
    const paths = MAILS.map((mail) => /^Return-Path: <(.*)>/m.exec(received(mail).toString('latin1'))?.[1]);
    expect(new Set(paths).size).toBe(MAILS.length);
    for (const mail of MAILS) {
      expect(received(mail).toString('latin1')).toMatch(/^Received: [^]*?using TLSv1\.[23]/m);
      const delivered = (await trailOf(mail)).at(-1);
      expect(delivered?.metadata).toMatchObject({
        code: 250,
        tls_version: expect.stringMatching(/^TLSv1\.[23]$/) as string,
        tls_verified: false,
        remote_host: `mx.${mail.to.split('@')[1] ?? ''}`,
        reply: expect.stringMatching(/queued as/) as string,
      });
    }
  });

  it('shows queued, sending, sent and delivered in its trail, and on the message', async () => {
    for (const mail of MAILS) {
      const trail = await trailOf(mail);
      expect(trail.map(({ event, actor }) => `${event} by ${actor}`)).toEqual([
        'queued by api',
        'sending by system',
        'sent by system',
        'delivered by provider',
      ]);
      expect(trail[2]).toMatchObject({ provider: 'mta', provider_message_id: expect.any(String) as string });
      const { json } = await appliance.api('GET', `/v1/messages/${idOf(mail)}`);
      const attachments = (json as { attachments: { sha256: string; size: number }[] }).attachments;
      expect(json).toMatchObject({ status: 'delivered', sandbox: false, error: null, provider: 'mta' });
      expect(attachments[0]).toMatchObject({
        size: PDF.length,
        sha256: createHash('sha256').update(PDF).digest('hex'),
      });
    }
  });

  it('is reported by signed webhooks, sent before delivered', async () => {
    const requests = await receiver.waitFor(MAILS.length * 2, 20_000);
    const told = new Map<string, string[]>();
    for (const { headers, rawBody } of requests) {
      const {
        event,
        data,
        occurred_at: occurredAt,
      } = JSON.parse(rawBody.toString()) as {
        event: string;
        occurred_at: string;
        data: Record<string, string>;
      };
      const [, time = '', signature] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['service-signature'])) ?? [];
      expect(signature).toBe(createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest('hex'));
      expect(Math.abs(Date.now() / 1000 - Number(time))).toBeLessThan(300);
      expect(headers['service-event']).toBe(event);
      expect(data).toEqual({ id: data['id'], event, occurred_at: occurredAt });
      told.set(data['id'] ?? '', [...(told.get(data['id'] ?? '') ?? []), event]);
    }
    for (const mail of MAILS) expect(told.get(idOf(mail))).toEqual(['message.sent', 'message.delivered']);
  });

  it('has a proof that fails after a change of any byte', async () => {
    const [mail] = MAILS;
    if (!mail) throw new Error('no mail');
    await trailOf(mail);
    const { json } = await appliance.api('GET', `/v1/messages/${idOf(mail)}/proof`);
    const { bundle, signature } = json as IssuedProof;
    const octets = Buffer.from(JSON.stringify({ bundle, signature }));
    const passes = async (body: Buffer): Promise<boolean> => {
      const response = await fetch(`${appliance.url}/v1/proof/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new Uint8Array(body),
      });
      expect(response.status).toBeLessThan(500);
      return response.ok && ((await response.json()) as { valid: boolean }).valid;
    };
    expect(await passes(octets)).toBe(true);
    const passed: string[] = [];
    for (const [at, octet] of octets.entries()) {
      if (at % EACH !== 0) continue;
      const changed = Buffer.from(octets);
      changed[at] = octet ^ 1;
      if (await passes(changed))
        passed.push(`${at}: ${octets.toString('latin1', Math.max(0, at - 20), at + 1)}`);
    }
    expect(passed).toEqual([]);
  });

  it('has a proof that verifies online and offline', async () => {
    const [mail] = MAILS;
    if (!mail) throw new Error('no mail');
    await trailOf(mail);
    const issued = await appliance.api('GET', `/v1/messages/${idOf(mail)}/proof`);
    expect(issued.json).toMatchObject({ bundle: { to: mail.to, status: 'delivered' } });
    const verify = async (body: unknown) =>
      (await appliance.api('POST', '/v1/proof/verify', { body, key: '' })).json as unknown;
    expect(await verify(issued.json)).toEqual({
      object: 'proof_verification',
      valid: true,
      sandbox: false,
    });

    const folder = await mkdtemp(join(tmpdir(), 'mailkeel-proof-'));
    try {
      const file = join(folder, 'proof.json');
      const keys = join(folder, 'keys.json');
      const set = await appliance.api('GET', '/.well-known/proof-keys.json', { key: '' });
      await writeFile(keys, set.text);
      await writeFile(file, issued.text);
      const good = await mailkeel(['proof', 'verify', file, '--keys', keys, '--json']);
      expect(good.code, good.stderr).toBe(0);

      for (const changed of changedProofs(issued.json as IssuedProof)) {
        expect(await verify(changed), JSON.stringify(changed)).toMatchObject({ valid: false });
      }
      const [changed] = changedProofs(issued.json as IssuedProof);
      await writeFile(file, JSON.stringify(changed));
      expect((await mailkeel(['proof', 'verify', file, '--keys', keys])).code).toBe(9);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

interface IssuedProof {
  bundle: Record<string, unknown>;
  signature: string;
}

/** The proof with one change: a field added, one removed, two entries exchanged, another's key. */
function changedProofs({ bundle, signature }: IssuedProof): unknown[] {
  const audit = bundle['audit'] as unknown[];
  return [
    { bundle: { ...bundle, subject: `${String(bundle['subject'])} ` }, signature },
    { bundle: { ...bundle, more: 1 }, signature },
    ...Object.keys(bundle).map((left) => ({
      bundle: Object.fromEntries(Object.entries(bundle).filter(([name]) => name !== left)),
      signature,
    })),
    { bundle: { ...bundle, audit: audit.slice(1) }, signature },
    { bundle: { ...bundle, audit: [...audit].reverse() }, signature },
    { bundle: { ...bundle, audit: [...audit, audit.at(-1)] }, signature },
    { bundle, signature: '' },
    { bundle, signature: Buffer.alloc(64).toString('base64') },
  ];
}
