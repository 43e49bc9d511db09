// Tracked mail before DKIM verifiers that others wrote: what was added is under the signature.
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
    rig = await startMailRig({ mxPort: sink.port });
    await rig.reached(await rig.send('ann', { html: HTML }), 'delivered');
    await waitFor(
      'the mail',
      () => Promise.resolve(sink.messages),
      (messages) => messages.length > 0,
    );
    raw = sink.messages[0]?.raw ?? Buffer.alloc(0);
  });
  afterAll(async () => {
    await rig.close();
    await sink.close();
  });

  it.each(DKIM_VERIFIERS)('keeps its signatures before $verifier', async ({ knows, verify }) => {
    const verdicts = (await verify(raw, rig.dns.port)).filter(({ algorithm }) => knows.includes(algorithm));
    expect(verdicts.length).toBeGreaterThan(0);
    expect(verdicts.filter(({ valid }) => !valid)).toEqual([]);
  });

  it('holds the links of tracking as Python reads it', async () => {
    const { parts } = await readMail(raw);
    const html = parts.find(({ type }) => type === 'text/html')?.content.toString() ?? '';
    expect(html).toMatch(/<a href="http[^"]+\/c\/[0-9a-z]{43}\/0">/);
    expect(html).toMatch(/<img src="http[^"]+\/o\/[0-9a-z]{43}"/);
  });
});
