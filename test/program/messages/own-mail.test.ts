// Tests the server's own mail: each response that promises one is followed by mail that arrives, even if a suppression blocks the
// customers' mail to the address, or the response is a refusal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../support/appliance.js';
import { publishPlatformKeys, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { layered, tuned } from '../../support/tuning.js';
import { waitFor } from '../../support/wait.js';

const PLATFORM = 'post.example';
const REASONS = ['bounce', 'complaint', 'unsubscribe', 'manual'] as const;

interface Promised {
  status: number;
  json: Record<string, unknown>;
}
type Ask = (method: string, path: string, body: object, key?: string) => Promise<Promised>;

const asking =
  (appliance: Appliance): Ask =>
  async (method, path, body, key) => {
    const { status, json } = await appliance.api(method, path, {
      body,
      ...(key === undefined ? {} : { key }),
    });
    return { status, json: json as Record<string, unknown> };
  };

/** Requests that promise a mail to the address, with the status of the promise. */
const PROMISES: Record<string, (ask: Ask, email: string) => Promise<Promised>> = {
  'an invitation': (ask, email) => ask('POST', '/v1/invitations', { email, role: 'member' }),
  'the confirmation of a sender': (ask, email) => ask('POST', '/v1/senders', { email }),
  'a new password': (ask, email) => ask('POST', '/v1/auth/password-reset', { email }, ''),
};

describe('a server that can sign its own mail', () => {
  let sink: SmtpSink;
  let rig: MailRig;
  let ask: Ask;

  beforeAll(async () => {
    sink = await startSmtpSink({ keep: true });
    rig = await startMailRig({
      ...{ process: 'shared', mxPort: sink.port },
      env: layered(tuned({ minuteJobs: '*/2 * * * * *' }), { MAILKEEL_PLATFORM_DOMAIN: PLATFORM }),
    });
    ask = asking(rig.appliance);
    await publishPlatformKeys(rig, PLATFORM);
  });
  afterAll(async () => {
    await rig.close();
    await sink.close();
  });

  const mailTo = (email: string, count = 1) =>
    waitFor(
      `mail to ${email}`,
      () => Promise.resolve(sink.messages.filter(({ rcptTo }) => rcptTo.includes(email))),
      (messages) => messages.length === count,
    );

  async function makeAccount(email: string): Promise<void> {
    const { json } = await ask('POST', '/v1/invitations', { email, role: 'member' });
    const token = String(json['link']).split('#')[1] ?? '';
    const password = 'the lamp is on the left side';
    const joined = await ask('POST', '/v1/invitations/accept', { token, name: 'Mia', password }, '');
    expect(joined.status).toBe(201);
    await mailTo(email);
  }

  it.each(Object.keys(PROMISES).flatMap((name) => REASONS.map((reason) => [name, reason] as const)))(
    'delivers %s, whatever suppression the address has: %s',
    async (name, reason) => {
      const email = `${name.replace(/\W/g, '-')}-${reason}@receiver.example`;
      const isReset = name === 'a new password';
      if (isReset) await makeAccount(email);
      expect((await ask('POST', '/v1/suppressions', { email, reason })).status).toBe(201);
      const answer = await PROMISES[name]?.(ask, email);
      expect([201, 202]).toContain(answer?.status);
      await mailTo(email, isReset ? 2 : 1);
    },
  );

  it('promises no new password to an address without an account, with the same response', async () => {
    const answer = await ask('POST', '/v1/auth/password-reset', { email: 'no-one@receiver.example' }, '');
    expect(answer.status).toBe(202);
  });
});

describe('a server without a domain to send from', () => {
  let appliance: Appliance;
  beforeAll(async () => {
    appliance = await createAppliance({ process: 'shared' });
    await appliance.start();
  });
  afterAll(() => appliance.close());

  it.each(Object.keys(PROMISES))('does not promise %s', async (name) => {
    const answer = await PROMISES[name]?.(asking(appliance), 'ann@receiver.example');
    // The link of an invitation can be passed on by hand.
    if (name === 'an invitation') expect(answer).toMatchObject({ status: 201, json: { mailed: false } });
    else expect(answer).toMatchObject({ status: 409, json: { error: { code: 'conflict' } } });
  });
});
