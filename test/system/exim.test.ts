// Tests a real Exim's replies phase by phase, and Mailkeel's handling of them: status, trail, transcript and explanation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptObject } from '../../src/messages/attempt.schema.js';
import { connectSmtp, type DeliveryOutcome } from '../../src/lib/smtp/index.js';
import { ensureExim, startExim, type Exim } from '../support/exim.js';
import { insightInto } from '../support/insight.js';
import { events, startMailRig, type MailRig } from '../support/mail-rig.js';
import { firstOf, isFullSize } from '../support/run-size.js';
import { waitFor } from '../support/wait.js';
import { tuned } from '../support/tuning.js';

const skipReason = ensureExim();
if (skipReason !== null) console.warn(`skipped: before Exim: ${skipReason}`);

/** Its replies to RCPT and after the data, by local part; other replies are Exim's own. */
const AT_RCPT: Record<string, string> = {
  grey: '451 4.7.1 Greylisted, please come back later',
  trouble: '451 Temporary local problem - please try later',
  full: '552 5.2.2 Mailbox quota exceeded',
  over: '452 4.2.2 Over quota',
  blocked: '550 5.7.1 Your host is listed in zen.spamhaus.org',
};
const AT_DATA: Record<string, string> = {
  scan: '451 4.3.0 Content scan timed out',
  spam: '550 This message was classified as SPAM and may not be delivered',
  virus: '550 5.7.1 This message contains malware (Eicar-Test-Signature)',
};
const addressed = (replies: Record<string, string>, but = ''): Record<string, string> =>
  Object.fromEntries(
    Object.entries(replies).flatMap(([name, reply]) =>
      name === but ? [] : [[`${name}@receiver.example`, reply]],
    ),
  );

describe.skipIf(skipReason !== null)('with a real Exim', () => {
  let exim: Exim;
  let rig: MailRig;

  beforeAll(async () => {
    exim = await startExim();
    await exim.onRcpt(addressed(AT_RCPT));
    await exim.onData(addressed(AT_DATA));
    // Exim caches lookups for a whole session, so each attempt gets a new one.
    rig = await startMailRig({ process: 'shared', mxPort: exim.port, env: tuned({ idleConnectionMs: 50 }) });
  });
  afterAll(async () => {
    await rig.close();
    await exim.close();
  });

  async function attemptsOf(id: string): Promise<AttemptObject[]> {
    return insightInto(rig.appliance).attempts(id);
  }
  const said = ({ conversation }: AttemptObject): string => conversation.transaction.join('\n');

  it('mail is delivered over STARTTLS, and the attempt shows it', async () => {
    const id = await rig.send('anna');
    await rig.reached(id, 'delivered');
    const [attempt] = await attemptsOf(id);
    expect(attempt).toMatchObject({
      outcome: 'delivered',
      phase: 'dot',
      code: 250,
      tls: { version: 'TLSv1.3', verified: false },
    });
    expect(attempt?.conversation.opening?.join('\n')).toMatch(
      /< 220 mx\.exim\.example ESMTP Exim[^]*> STARTTLS[^]*\* TLSv1\.3/,
    );
    expect(exim.log()).toMatch(/=> anna|<= .* X=TLS1\.3/);
    expect(await insightInto(rig.appliance).explain(id)).toMatchObject({ code: 'delivered' });
  });

  it.each(
    firstOf(2, [
      ['grey', 'rcpt', 'greylist', 'deferred_greylisted', ['wait']],
      ['trouble', 'rcpt', 'greylist', 'deferred_host_trouble', ['wait', 'ask_postmaster']],
      ['full', 'rcpt', 'quota', 'deferred_mailbox_full', ['other_channel', 'wait']],
      ['over', 'rcpt', 'quota', 'deferred_mailbox_full', ['other_channel', 'wait']],
      ['scan', 'dot', 'network', 'deferred_host_trouble', ['wait', 'ask_postmaster']],
    ]),
  )(
    '%s at %s defers with the reply and an explanation, and later delivers',
    async (name, phase, category, code, advice) => {
      const id = await rig.send(name);
      const reply = AT_RCPT[name] ?? AT_DATA[name] ?? '';
      const words = reply.replace(/^\d{3} /, '');
      const trail = await rig.logged(id, 'deferred', 2);
      expect(trail.find(({ event }) => event === 'deferred')?.metadata).toMatchObject({
        phase,
        category,
        code: Number(reply.slice(0, 3)),
        reply: words,
      });
      const found = await insightInto(rig.appliance).explained(id, code);
      expect(found.advice.map((piece) => piece.code)).toEqual(advice);
      const [first, second] = await attemptsOf(id);
      expect(first && said(first)).toContain(`< ${reply}`);
      // Greylisting knows a sender by these three.
      const trio = (attempt: AttemptObject | undefined) => [
        attempt?.local_address,
        /> MAIL FROM:<[^>]*>/.exec(attempt ? said(attempt) : '')?.[0],
      ];
      expect(trio(second)).toEqual(trio(first));

      await exim.onRcpt(addressed(AT_RCPT, name));
      await exim.onData(addressed(AT_DATA, name));
      await rig.reached(id, 'delivered');
      expect(events(await rig.trail(id)).filter((event) => event === 'delivered')).toHaveLength(1);
    },
  );

  it.each(
    firstOf(2, [
      [
        'nobody',
        'rcpt',
        'hard',
        'invalid_recipient',
        'bounced_no_such_mailbox',
        ['check_address', 'resend'],
        'Unrouteable address',
      ],
      [
        'spam',
        'dot',
        'soft',
        'spam_content',
        'bounced_content_refused',
        ['change_content'],
        'classified as SPAM',
      ],
      [
        'virus',
        'dot',
        'soft',
        'spam_content',
        'bounced_malware_found',
        ['remove_attachment', 'change_content'],
        'malware',
      ],
      [
        'anna@elsewhere.test',
        'rcpt',
        'soft',
        'policy',
        'bounced_relaying_denied',
        ['check_domain', 'resend'],
        'relay not permitted',
      ],
    ]),
  )(
    '%s at %s bounces (%s, %s) after one attempt with an explanation',
    async (name, phase, type, category, code, advice, words) => {
      rig.dns.set('elsewhere.test', 'MX', [{ preference: 10, exchange: 'mx.receiver.example' }]);
      const id = await rig.send(name);
      const message = await rig.reached(id, 'bounced');
      expect(message['error']).toMatchObject({ type, category, code: 550 });
      const attempts = await attemptsOf(id);
      expect(attempts).toHaveLength(1);
      expect(attempts[0]).toMatchObject({ outcome: 'bounced', phase });
      expect(attempts[0] && said(attempts[0])).toContain(words);
      const found = await insightInto(rig.appliance).explain(id);
      expect({ code: found.code, advice: found.advice.map((piece) => piece.code) }).toEqual({ code, advice });
    },
  );

  describe('over one connection', () => {
    const DESTINATION = '/v1/queue/destinations/receiver.example';
    let narrow: MailRig;
    let sent = 0;
    beforeAll(async () => {
      const env = { MAILKEEL_DESTINATION_CONNECTIONS: '1' };
      narrow = await startMailRig({ process: 'shared', mxPort: exim.port, env });
    });
    afterAll(() => narrow.close());

    it.runIf(isFullSize)('a session that ends after ten RSETs costs no message an attempt', async () => {
      // All wait before the session opens, so it has more than ten even on a busy machine.
      expect((await narrow.appliance.api('POST', `${DESTINATION}/pause`)).status).toBe(200);
      const ids: string[] = [];
      while (ids.length < 25) ids.push(await narrow.send(`nobody.${(sent += 1)}`));
      expect((await narrow.appliance.api('POST', `${DESTINATION}/resume`)).status).toBe(200);
      for (const id of ids) await narrow.reached(id, 'bounced');
      const insight = insightInto(narrow.appliance);
      const counts = await Promise.all(ids.map(async (id) => (await insight.attempts(id)).length));
      expect(exim.log()).toContain('dropped: too many nonmail commands');
      expect(counts).toEqual(counts.map(() => 1));
    });
  });

  describe('with few connections, small messages and ASCII addresses', () => {
    const SIZE = 20_000;
    const MESSAGES = 60;
    let strict: Exim;
    let toStrict: MailRig;
    beforeAll(async () => {
      strict = await startExim({ smtputf8: false, sizeLimit: SIZE, connectionsPerHost: 1 });
      toStrict = await startMailRig({ process: 'shared', mxPort: strict.port });
    });
    afterAll(async () => {
      await toStrict.close();
      await strict.close();
    });

    // The API takes no such recipients yet; a session does.
    it('an address with an umlaut is sent with SMTPUTF8, and not attempted without', async () => {
      const outcomes: DeliveryOutcome[] = [];
      for (const { port, hostname } of [exim, strict]) {
        const opened = await connectSmtp({
          host: hostname,
          address: '127.0.0.1',
          port,
          ehloName: 'out.example',
          tls: { mode: 'opportunistic', verify: false },
        });
        if (opened.kind !== 'ready') throw new Error(opened.kind);
        const mail = Buffer.from('Subject: umlaut\r\n\r\nHello\r\n');
        outcomes.push(
          await opened.session.deliver({
            mailFrom: 'b@shop.example',
            rcptTo: 'jürgen@receiver.example',
            size: mail.length,
            chunks: [mail],
            beforeDot: () => Promise.resolve(true),
          }),
        );
        await opened.session.quit();
      }
      expect(outcomes[0]).toMatchObject({ kind: 'accepted', reply: { code: 250 } });
      expect(outcomes[1]).toMatchObject({
        kind: 'refused',
        local: true,
        reply: { code: 550, enhanced: '5.6.7' },
      });
      await waitFor(
        'it to be in the mailbox',
        () => exim.log(),
        (log) => log.includes('=> jürgen'),
      );
    });

    it.each([
      [
        'anna',
        { text: 'x'.repeat(60) + '\n'.padEnd(SIZE, 'long ') },
        'too_large',
        '5.3.4',
        'bounced_too_large',
        ['shrink'],
      ],
    ])(
      'mail to %s bounces without an attempt, with an explanation',
      async (name, more, category, enhanced, code, advice) => {
        const id = await toStrict.send(name, more);
        const message = await toStrict.reached(id, 'bounced');
        expect(message['error']).toMatchObject({ category, enhanced_code: enhanced });
        const found = await insightInto(toStrict.appliance).explain(id);
        expect({ code: found.code, advice: found.advice.map((piece) => piece.code) }).toEqual({
          code,
          advice,
        });
        const [attempt] = await insightInto(toStrict.appliance).attempts(id);
        expect(attempt && said(attempt)).not.toContain('> MAIL');
      },
    );

    it.runIf(isFullSize)(
      'a burst arrives completely over one connection, because Mailkeel adapts to its 421',
      async () => {
        const names = Array.from({ length: MESSAGES }, (_, number) => `burst.${number}`);
        const ids = await Promise.all(names.map((name) => toStrict.send(name)));
        for (const id of ids) await toStrict.reached(id, 'delivered', 60_000);
        await waitFor(
          'all in the mailbox',
          async () => (await strict.mailbox()).length,
          (count) => count === MESSAGES,
        );
        const refused = strict
          .log()
          .split('\n')
          .filter((line) => line.includes('too many connections'));
        expect(refused.length).toBeGreaterThan(0);
        expect(refused.length).toBeLessThan(10);
        const overrides = await insightInto(toStrict.appliance).overrides();
        expect(overrides).toMatchObject([{ kind: 'connections', value: { limit: 1 }, rule: 'adaptive' }]);
        expect(overrides[0]?.reply).toContain('Too many concurrent SMTP connections');
        const counts = await Promise.all(
          ids.map(async (id) => (await insightInto(toStrict.appliance).attempts(id)).length),
        );
        // A refusal while other sessions work counts against no message; only after the last session does one message record it.
        expect(Math.max(...counts)).toBeLessThanOrEqual(2);
        expect(counts.filter((count) => count > 1).length).toBeLessThan(5);
      },
    );
  });
});
