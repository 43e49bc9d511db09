// Tests that the platform signs in addition to its sub-tenant: two domains, each with its own key in DNS, neither signing the
// other's signature.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DKIM_VERIFIERS, ensureMailOracles } from '../support/mail-oracles.js';
import { publishPlatformKeys, startMailRig, type MailRig } from '../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { layered, tuned } from '../support/tuning.js';

const skipReason = ensureMailOracles();
if (skipReason !== null) console.warn(`skipped: the platform's signature: ${skipReason}`);

const PLATFORM = 'post.example';

describe.skipIf(skipReason !== null)("the platform's signature", () => {
  let sink: SmtpSink;
  let rig: MailRig;

  beforeAll(async () => {
    sink = await startSmtpSink({ keep: true });
    rig = await startMailRig({
      ...{ process: 'shared', mxPort: sink.port },
      env: layered(tuned({ minuteJobs: '*/2 * * * * *' }), { MAILKEEL_PLATFORM_DOMAIN: PLATFORM }),
    });
    await publishPlatformKeys(rig, PLATFORM);
    await rig.reached(await rig.send('anna'), 'delivered');
  });

  afterAll(async () => {
    await rig.close();
    await sink.close();
  });

  it.each(DKIM_VERIFIERS)("verifies beside the sub-tenant's with $verifier", async ({ verify, knows }) => {
    const [message] = sink.messages;
    const all = await verify(message?.raw ?? Buffer.alloc(0), rig.dns.port);
    const verdicts = all.filter(({ algorithm }) => knows.includes(algorithm));
    expect(verdicts.filter(({ valid }) => !valid)).toEqual([]);
    for (const algorithm of knows) {
      const domains = verdicts
        .filter((verdict) => verdict.algorithm === algorithm)
        .map(({ domain }) => domain);
      expect(domains.sort()).toEqual([PLATFORM, 'shop.example']);
    }
    for (const { signedFields } of verdicts) expect(signedFields).not.toContain('dkim-signature');
  });
});
