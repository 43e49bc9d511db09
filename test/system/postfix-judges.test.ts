// Tests how a real Postfix reacts to Mailkeel and Mailkeel to it: its connection limit, deferrals and refusals of its policy
// protocol, its certificate under an MTA-STS policy. Checks status, transcript, active limits and explanation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insightInto } from '../support/insight.js';
import { startMailRig, type MailRig } from '../support/mail-rig.js';
import { ensurePostfix, startPostfix, type Postfix } from '../support/postfix.js';
import { firstOf, sized } from '../support/run-size.js';
import { startTlsWorld, type TlsWorld } from '../support/tls-world.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensurePostfix();
if (skipReason !== null) console.warn(`skipped: what Postfix makes of us: ${skipReason}`);

describe.skipIf(skipReason !== null)('a Postfix that accepts two connections per client', () => {
  const MESSAGES = sized({ small: 100, full: 300 });
  const TOO_MANY = 'too many connections from 127.0.0.1';
  let postfix: Postfix;
  let rig: MailRig;
  beforeAll(async () => {
    postfix = await startPostfix({ settings: ['smtpd_client_connection_count_limit = 2'] });
    const shaping = { defaults: { connections: 8, connections_max: 10 } };
    rig = await startMailRig({
      ...{ process: 'shared', mxPort: postfix.port },
      env: { MAILKEEL_SHAPING: JSON.stringify(shaping) },
    });
  });
  afterAll(async () => {
    await rig.close();
    await postfix.close();
  });

  it('gets all mail over no more connections after its first refusals', async () => {
    const ids = await Promise.all(
      Array.from({ length: MESSAGES }, (_, number) => rig.send(`burst.${number}`)),
    );
    for (const id of ids) await rig.reached(id, 'delivered', 60_000);
    await waitFor(
      'all in the mailbox',
      async () => (await postfix.mailbox()).length,
      (count) => count === MESSAGES,
    );
    const refused = postfix
      .log()
      .split('\n')
      .filter((line) => line.includes('Connection concurrency limit exceeded'));
    const insight = insightInto(rig.appliance);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(6);
    const [override] = await insight.overrides();
    expect(override).toMatchObject({ kind: 'connections', rule: 'adaptive' });
    expect(override?.reply).toContain(TOO_MANY);
    expect(((override?.value ?? {}) as { limit: number }).limit).toBeLessThanOrEqual(2);
    // A refusal while other sessions work counts against no message; only after the last session does one message record it.
    const counts = await Promise.all(ids.map(async (id) => (await insight.attempts(id)).length));
    expect(counts.filter((count) => count > 1).length).toBeLessThan(5);
  });
});

describe.skipIf(skipReason !== null)('a Postfix with a policy', () => {
  let postfix: Postfix;
  let rig: MailRig;
  beforeAll(async () => {
    postfix = await startPostfix({ settings: ['message_size_limit = 20000'] });
    rig = await startMailRig({ process: 'shared', mxPort: postfix.port });
  });
  afterAll(async () => {
    await rig.close();
    await postfix.close();
  });

  it.each(
    firstOf(2, [
      [
        'DEFER_IF_PERMIT Greylisted, see http://postgrey.example/help',
        'greylist',
        'deferred_greylisted',
        ['wait'],
      ],
      ['DEFER Service temporarily unavailable', 'greylist', 'deferred_put_off', ['wait', 'ask_postmaster']],
      [
        '451 4.3.5 Server configuration problem',
        'network',
        'deferred_host_trouble',
        ['wait', 'ask_postmaster'],
      ],
      ['452 4.2.2 Mailbox full', 'quota', 'deferred_mailbox_full', ['other_channel', 'wait']],
      [
        '450 4.7.25 Client host rejected: cannot find your hostname',
        'auth_failed',
        'deferred_no_reverse_dns',
        ['publish_ptr', 'wait'],
      ],
    ]),
  )('defers with %s and an explanation, and accepts later', async (action, category, code, advice) => {
    postfix.onRcpt(() => action);
    const id = await rig.send('anna');
    const trail = await rig.logged(id, 'deferred');
    const deferred = trail.find(({ event }) => event === 'deferred')?.metadata;
    // Postfix puts the address before the text of its policy.
    const words = action.replace(/^[0-9. ]+|^DEFER[A-Z_]* /, '');
    expect(deferred).toMatchObject({ phase: 'rcpt', category });
    expect(deferred?.['reply']).toContain(`<anna@receiver.example>: Recipient address rejected: ${words}`);
    const found = await insightInto(rig.appliance).explained(id, code);
    expect(found.advice.map((piece) => piece.code)).toEqual(advice);
    postfix.onRcpt(() => null);
    await rig.reached(id, 'delivered');
    expect((await rig.message(id))['error']).toBeNull();
  });

  it.each(
    firstOf(2, [
      ['REJECT', 'soft', 'policy', 'bounced_policy', ['ask_postmaster', 'resend']],
      [
        '550 5.7.1 Rejected: SPF check failed',
        'soft',
        'auth_failed',
        'bounced_spf_failed',
        ['publish_spf', 'resend'],
      ],
      [
        '550 5.2.1 Mailbox disabled',
        'hard',
        'inactive_mailbox',
        'bounced_mailbox_disabled',
        ['check_address', 'lift_suppression'],
      ],
      [
        '554 5.7.1 Relay access denied',
        'soft',
        'policy',
        'bounced_relaying_denied',
        ['check_domain', 'resend'],
      ],
      [
        '550 5.1.1 User unknown in virtual mailbox table',
        'hard',
        'invalid_recipient',
        'bounced_no_such_mailbox',
        ['check_address', 'lift_suppression'],
      ],
    ]),
  )('bounces with %s (%s, %s) with an explanation', async (action, type, category, code, advice) => {
    postfix.onRcpt(() => action);
    const id = await rig.send(`who.${code}`);
    const message = await rig.reached(id, 'bounced');
    expect(message['error']).toMatchObject({ type, category, remote_host: 'mx.receiver.example' });
    const found = await insightInto(rig.appliance).explain(id);
    expect({ code: found.code, advice: found.advice.map((piece) => piece.code) }).toEqual({ code, advice });
    const [attempt] = await insightInto(rig.appliance).attempts(id);
    // The rest of the pipelined commands get replies as well.
    expect(attempt?.conversation.transaction.at(-1)).toBe('< 554 5.5.1 Error: no valid recipients');
  });

  it('gets no message above its size limit', async () => {
    const id = await rig.send('anna', { text: 'long '.repeat(8_000) });
    expect((await rig.reached(id, 'bounced'))['error']).toMatchObject({ category: 'too_large', code: 552 });
    const found = await insightInto(rig.appliance).explain(id);
    expect({ code: found.code, advice: found.advice.map((piece) => piece.code) }).toEqual({
      code: 'bounced_too_large',
      advice: ['shrink'],
    });
  });

  it('with a block list stops further mail, and the explanation quotes the reason until the limit is lifted', async () => {
    postfix.onRcpt(
      () => '554 5.7.1 Service unavailable; Client host [127.0.0.1] blocked using zen.spamhaus.org',
    );
    const insight = insightInto(rig.appliance);
    const first = await rig.send('bert');
    expect((await insight.explained(first, 'deferred_blocklisted')).advice[0]?.code).toBe('delist');
    const second = await rig.send('carl');
    const { advice, chain } = await insight.explained(second, 'destination_suspended');
    expect(advice.map((piece) => piece.code)).toEqual(['delist', 'wait_quietly', 'remove_override']);
    expect(chain.at(-1)?.text).toMatch(
      /temporarily stopped delivery .*blocked using zen\.spamhaus\.org\)\.$/,
    );
    expect(JSON.stringify(chain)).not.toContain('bert@');

    postfix.onRcpt(() => null);
    const [override] = await insight.overrides();
    expect(override).toMatchObject({ kind: 'suspend', rule: 'address-on-block-list' });
    const lifted = await rig.appliance.api('DELETE', `/v1/queue/overrides/${override?.id}`);
    expect(lifted.status, lifted.text).toBeLessThan(300);
    await rig.reached(second, 'delivered');
    // The refused message has its own retry time, which a retry respects.
    expect((await rig.appliance.api('POST', `/v1/messages/${first}/retry`)).status).toBe(429);
  });
});

describe.skipIf(skipReason !== null)('a Postfix with an MTA-STS policy', () => {
  let world: TlsWorld;
  let postfix: Postfix;
  let rig: MailRig;
  beforeAll(async () => {
    world = await startTlsWorld();
    postfix = await startPostfix({ certificate: world.certificate({ names: ['mx.good.example'] }) });
    for (const [domain, mode] of [
      ['good', 'enforce'],
      ['bad', 'enforce'],
      ['trial', 'testing'],
    ] as const) {
      world.mail(`${domain}.example`, { [`mx.${domain}.example`]: '127.0.0.1' });
      world.announce(`${domain}.example`, { mode, mx: [`mx.${domain}.example`] });
    }
    rig = await startMailRig({
      ...{ process: 'shared', dns: world.dns },
      env: { ...world.env, MAILKEEL_MX_PORT: String(postfix.port) },
    });
  });
  afterAll(async () => {
    await rig.close();
    await postfix.close();
    await world.close();
  });

  it('enforced with the right certificate gets verified mail', async () => {
    const id = await rig.send('anna@good.example');
    await rig.reached(id, 'delivered');
    const [attempt] = await insightInto(rig.appliance).attempts(id);
    expect(attempt).toMatchObject({
      outcome: 'delivered',
      tls: { verified: true, error: null, policy: 'sts' },
    });
  });

  it('enforced with a certificate for another name gets none, and the explanation gives the reason', async () => {
    const id = await rig.send('anna@bad.example');
    await rig.logged(id, 'deferred', 2);
    const [attempt] = await insightInto(rig.appliance).attempts(id);
    expect(attempt).toMatchObject({ outcome: 'deferred', category: 'tls', tls_policy: 'sts', code: null });
    const found = await insightInto(rig.appliance).explained(id, 'deferred_tls_sts');
    expect(found.advice.map((piece) => piece.code)).toEqual(['tell_about_tls', 'check_trust', 'wait']);
    expect(attempt?.reply).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
    // It ends with the handshake.
    expect(attempt?.conversation.transaction.at(-1)).toMatch(/^\* TLSv1\.3/);
    expect(postfix.log()).not.toContain('bad.example');
  });

  it('in testing mode gets mail, and the attempt shows the failure', async () => {
    const id = await rig.send('anna@trial.example');
    await rig.reached(id, 'delivered');
    const [attempt] = await insightInto(rig.appliance).attempts(id);
    expect(attempt).toMatchObject({
      outcome: 'delivered',
      tls: { verified: false, error: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    });
  });
});
