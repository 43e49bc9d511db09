// Tests tracked mail with third-party DKIM verifiers: the signature covers the additions.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DKIM_VERIFIERS, ensureMailOracles, readMail } from '../support/mail-oracles.js';
import { startMailRig, type MailRig } from '../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensureMailOracles();
if (skipReason !== null) console.warn(`skipped: tracked mail: ${skipReason}`);

const HTML = `<p>${'Wörter 日本語 '.repeat(200)}<a href="https://shop.example/?a=1&amp;b=2">x</a></p>`;

describe.skipIf(skipReason !== null)('tracked mail', () => {
  let sink: SmtpSink;
  let rig: MailRig;
  let raw: Buffer;
  beforeAll(async () => {
    sink = await startSmtpSink({ keep: true });
    rig = await startMailRig({ process: 'shared', mxPort: sink.port });
    await rig.reached(await rig.send('ann', { html: HTML }), 'delivered');
    await waitFor(
      'the mail',
      () => Promise.resolve(sink.messages),
      (messages) => messages.length > 0,
    );
    raw = sink.messages[0]?.raw ?? Buffer.alloc(0);
  });

  /** A campaign's copy as received, the same one each time. */
  async function sentCopy(): Promise<Buffer> {
    const { api } = rig.appliance;
    const made = async (path: string, body: Record<string, unknown>): Promise<string> => {
      const answer = await api('POST', path, { body });
      expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
      return (answer.json as { id: string }).id;
    };
    const arrived = () => sink.messages.find(({ rcptTo }) => rcptTo[0] === 'bea@receiver.example')?.raw;
    if (!arrived()) {
      const sub = { sub_tenant_id: rig.tenantId };
      await api('PATCH', '/v1/organization', { body: { postal_address: 'Ring 1, 50667 Köln' } });
      const list = await made('/v1/lists', { name: 'Readers', ...sub });
      await made(`/v1/lists/${list}/contacts`, { email: 'bea@receiver.example' });
      const template = await made('/v1/templates', { name: 'News', subject: 'Grüße', html: HTML, ...sub });
      const from = 'news@shop.example';
      const campaign = { name: 'News', list_id: list, template_id: template, from, ...sub };
      await made(`/v1/campaigns/${await made('/v1/campaigns', campaign)}/send`, {});
    }
    return (await waitFor('the copy', arrived, (found) => found !== undefined)) ?? Buffer.alloc(0);
  }

  afterAll(async () => {
    await rig.close();
    await sink.close();
  });

  it.each(DKIM_VERIFIERS)('keeps its signatures with $verifier', async ({ knows, verify }) => {
    const verdicts = (await verify(raw, rig.dns.port)).filter(({ algorithm }) => knows.includes(algorithm));
    expect(verdicts.length).toBeGreaterThan(0);
    expect(verdicts.filter(({ valid }) => !valid)).toEqual([]);
  });

  it.each(DKIM_VERIFIERS)('of a campaign has signed unsubscribe fields with $verifier', async (oracle) => {
    const copy = await sentCopy();
    const verdicts = (await oracle.verify(copy, rig.dns.port)).filter(({ algorithm }) =>
      oracle.knows.includes(algorithm),
    );
    expect(verdicts.length).toBeGreaterThan(0);
    for (const { valid, signedFields } of verdicts) {
      expect(valid).toBe(true);
      expect(signedFields).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']));
    }
    const { headers, parts } = await readMail(copy);
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(headers['list-unsubscribe']).toMatch(
      /^<http[^>]+\/u\/[0-9a-z]{53}>, <mailto:unsubscribe\+[^>]+>$/,
    );
    expect(parts.find(({ type }) => type === 'text/html')?.content.toString()).toMatch(
      /\/c\/[0-9a-z]{43}\/0/,
    );
  });

  it('contains tracking links as read by Python', async () => {
    const { parts } = await readMail(raw);
    const html = parts.find(({ type }) => type === 'text/html')?.content.toString() ?? '';
    expect(html).toMatch(/<a href="http[^"]+\/c\/[0-9a-z]{43}\/0-[\w-]+">/);
    expect(html).toMatch(/<img src="http[^"]+\/o\/[0-9a-z]{43}"/);
  });
});
