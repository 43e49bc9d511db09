// Tests the inbound process after the spool: simultaneous mail, and temporary outages of name servers and parsing threads.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Refusal } from '../../src/contract/refusal.js';
import { replyAddress } from '../../src/messages/mail-tokens.rules.js';
import { returnPathLocal } from '../../src/messages/verp.rules.js';
import type { MailAuthentication } from '../../src/lib/authentication/index.js';
import { fixedClock } from '../support/fixed-clock.js';
import {
  BOUNCE_DOMAIN,
  FBL,
  FEEDBACK_SOURCE,
  INBOUND_DOMAIN,
  openMailReader,
  startInbound,
  type InboundOptions,
  type InboundProgram,
} from '../support/inbound.js';
import { TOKEN_KEY } from '../support/program.js';
import { deliveryReport, feedbackReport } from '../support/returned-mail.js';
import { eventOf, newMessage } from '../database/contract/builders.js';
import type { Scope } from '../../src/database/scope.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';

/** A long timeout, because other processes use the CPU as well. */
const PATIENT = { timeout: 15_000 };

let rig: InboundProgram;
/** Shared by all rigs, because its threads take longer to start than most tests. Its name server does not exist. */
let sharedReader: ReturnType<typeof openMailReader>;
beforeAll(() => {
  sharedReader = openMailReader(['127.0.0.1:9'], { threads: 1 });
});
afterEach(() => rig.close());
afterAll(() => sharedReader.close());

async function sent(scope: Scope, to: string, { isQueued = false } = {}) {
  const status = isQueued ? 'sending' : 'delivered';
  const message = newMessage(scope, { to, queued: isQueued, row: { status } });
  const id = message.row.public_id;
  message.events = [eventOf(scope, id, 'queued'), eventOf(scope, id, 'sent')];
  await rig.store.commit([acceptMessage({ message })]);
  const local = returnPathLocal({ messageId: id, domain: BOUNCE_DOMAIN, key: TOKEN_KEY });
  return { id, returnPath: `${local}@${BOUNCE_DOMAIN}` };
}

async function trailOf(id: string): Promise<string[]> {
  const target = await rig.store.messages.forToken(id);
  return (await rig.store.events.auditTrailOfMessage(target?.message.id ?? 0)).map(({ event }) => event);
}

const failed = (to: string, recipient: string, status: string, diagnostic: string): string =>
  deliveryReport(to, { recipient, action: 'failed', status, diagnostic });

it('five simultaneous reports of a full mailbox suppress it', async () => {
  rig = await startInbound({ sharedReader });
  const live = await rig.scopeOf('live');
  for (let count = 0; count < 5; count++) {
    const { returnPath } = await sent(live, 'ann@example.com');
    await rig.keep({
      raw: failed(returnPath, 'ann@example.com', '5.2.2', '552 5.2.2 Mailbox full'),
      to: returnPath,
    });
  }
  rig.start();
  expect((await rig.settled()).map(({ outcome }) => outcome)).toEqual(Array(5).fill('bounced'));
  const rows = await rig.store.suppressions.suppressionsOf(live, ['ann@example.com']);
  expect(rows).toMatchObject([{ reason: 'bounce' }]);
});

it('a complaint to two addresses is one complaint', async () => {
  rig = await startInbound({ sharedReader });
  const live = await rig.scopeOf('live');
  const { id, returnPath } = await sent(live, 'ann@example.com');
  const original = `Return-Path: <${returnPath}>\r\n`;
  for (const to of [FBL, returnPath]) {
    await rig.keep({ raw: feedbackReport(to, { original }), to, client: FEEDBACK_SOURCE });
  }
  rig.start();
  const outcomes = (await rig.settled()).map(({ outcome }) => outcome);
  expect(outcomes.sort()).toEqual(['complaint', 'duplicate']);
  expect(await trailOf(id)).toEqual(['queued', 'sent', 'complained', 'suppressed']);
});

it('a report of success removes the message from the queue without another attempt', async () => {
  rig = await startInbound({ sharedReader });
  const live = await rig.scopeOf('live');
  const { id, returnPath } = await sent(live, 'ann@example.com', { isQueued: true });
  const raw = deliveryReport(returnPath, {
    recipient: 'ann@example.com',
    action: 'delivered',
    status: '2.0.0',
  });
  await rig.keep({ raw, to: returnPath });
  rig.start();
  expect(await rig.settled()).toMatchObject([{ outcome: 'delivered' }]);
  expect(await trailOf(id)).toEqual(['queued', 'sent', 'delivered']);
  expect(await rig.raw('SELECT message_id FROM queue')).toEqual([]);
});

const SILENT: MailAuthentication = {
  spf: { result: 'temperror', domain: null },
  dkim: [{ result: 'temperror', domain: 'provider.example', selector: 's1', aligned: true }],
  dmarc: { result: 'temperror', policy: null, domain: 'provider.example' },
  arc: { result: 'none' },
  fromDomain: 'provider.example',
  authenticatedDomains: [],
};
const SIGNED: MailAuthentication = {
  ...SILENT,
  dkim: [{ result: 'pass', domain: 'provider.example', selector: 's1', aligned: true }],
  authenticatedDomains: ['provider.example'],
};

async function complained(reader: NonNullable<InboundOptions['reader']>) {
  const clock = fixedClock();
  rig = await startInbound({
    sharedReader,
    // A port without a listener, so lookups fail without waiting.
    dnsServers: ['127.0.0.1:9'],
    clock: clock.now,
    reader,
  });
  const live = await rig.scopeOf('live');
  const { id, returnPath } = await sent(live, 'ann@example.com');
  await rig.keep({ raw: feedbackReport(FBL, { original: `Return-Path: <${returnPath}>\r\n` }), to: FBL });
  rig.start();
  return { id, clock };
}

const waitingRow = async () => {
  const [row] = await rig.store.inbound.latest(1);
  return row;
};

it('a complaint waits for unresponsive name servers, and is believed when they respond', async () => {
  const answers = [SILENT, SILENT, SIGNED];
  const { id, clock } = await complained(() => ({
    authenticate: () => Promise.resolve(answers.shift() ?? SIGNED),
  }));
  for (const waitMs of [15_000, 60_000]) {
    await expect.poll(async () => (await waitingRow())?.due_at, PATIENT).toBe(clock.now() + waitMs);
    clock.advance(waitMs);
    rig.ring();
  }
  expect(await rig.settled()).toMatchObject([{ outcome: 'complaint', detail: { message: id } }]);
});

it('a complaint whose signature cannot be checked for an hour is ignored', async () => {
  let asked = 0;
  const { clock } = await complained(() => ({
    authenticate: () => {
      asked += 1;
      return Promise.resolve(SILENT);
    },
  }));
  const start = clock.now();
  for (let count = 1; count < 6; count++) {
    await expect.poll(() => asked, PATIENT).toBe(count);
    await expect.poll(async () => ((await waitingRow())?.due_at ?? 0) > clock.now(), PATIENT).toBe(true);
    clock.advance(((await waitingRow())?.due_at ?? 0) - clock.now());
    rig.ring();
  }
  expect(await rig.settled()).toMatchObject([{ outcome: 'complaint_untrusted', attempts: 5 }]);
  expect(clock.now() - start).toBeGreaterThan(3_600_000);
});

it('busy threads delay a mail without using up its attempts', async () => {
  let refusals = 10;
  const clock = fixedClock();
  rig = await startInbound({
    sharedReader,
    clock: clock.now,
    reader: (real) => ({
      read: (raw, options) => (refusals-- > 0 ? Promise.resolve({ kind: 'busy' }) : real.read(raw, options)),
    }),
  });
  const live = await rig.scopeOf('live');
  const { returnPath } = await sent(live, 'ann@example.com');
  await rig.keep({ raw: failed(returnPath, 'ann@example.com', '5.1.1', '550 5.1.1 x'), to: returnPath });
  rig.start();
  for (let left = 9; left >= 0; left--) {
    await expect.poll(() => refusals, PATIENT).toBe(left);
    await expect.poll(async () => ((await waitingRow())?.due_at ?? 0) > clock.now(), PATIENT).toBe(true);
    clock.advance(2_000);
    rig.ring();
  }
  expect(await rig.settled()).toMatchObject([{ outcome: 'bounced', state: 'done', attempts: 0 }]);
});

it('an unavailable store delays a mail without using up its attempts', async () => {
  let refusals = 8;
  const clock = fixedClock();
  rig = await startInbound({
    sharedReader,
    clock: clock.now,
    reader: (real) => ({
      read: (raw, options) =>
        refusals-- > 0 ? Promise.reject(new Refusal('unavailable')) : real.read(raw, options),
    }),
  });
  const live = await rig.scopeOf('live');
  const { returnPath } = await sent(live, 'ann@example.com');
  await rig.keep({ raw: failed(returnPath, 'ann@example.com', '5.1.1', '550 5.1.1 x'), to: returnPath });
  rig.start();
  for (let left = 7; left >= 0; left--) {
    await expect.poll(() => refusals).toBe(left);
    await expect.poll(async () => ((await waitingRow())?.due_at ?? 0) > clock.now()).toBe(true);
    clock.advance(15_000);
    rig.ring();
  }
  expect(await rig.settled()).toMatchObject([{ outcome: 'bounced', state: 'done', attempts: 0 }]);
});

it('mails that were open when a process died are handled one by one, so only one is blamed', async () => {
  let atOnce = 0;
  let most = 0;
  rig = await startInbound({
    sharedReader,
    reader: (real) => ({
      async read(raw, options) {
        most = Math.max(most, ++atOnce);
        const read = await real.read(raw, options);
        atOnce -= 1;
        return read;
      },
    }),
  });
  const live = await rig.scopeOf('live');
  for (let count = 0; count < 4; count++) {
    const { returnPath } = await sent(live, `n${count}@example.com`);
    await rig.keep({ raw: failed(returnPath, `n${count}@example.com`, '5.1.1', '550 x'), to: returnPath });
  }
  // The rows after a process that crashed repeatedly on the first mail, and once while it had the others.
  await rig.raw("UPDATE inbound_messages SET outcome = 'begun'");
  await rig.raw(`UPDATE inbound_messages SET attempts = 6, outcome = 'begun_alone'
    WHERE id = (SELECT MIN(id) FROM inbound_messages)`);
  rig.start();
  expect((await rig.settled()).map(({ outcome, attempts, state }) => [outcome, attempts, state])).toEqual([
    ['fault', 6, 'failed'],
    ['bounced', 1, 'done'],
    ['bounced', 1, 'done'],
    ['bounced', 1, 'done'],
  ]);
  expect(most).toBe(1);
  expect(await rig.store.parkedMails()).toBe(1);
});

/** Stores a person's reply, and has it processed by a process that ends each time the reader is called. */
async function replyThatEndsTheProcess(ends: number) {
  rig = await startInbound({ sharedReader });
  const live = await rig.scopeOf('live');
  const { id } = await sent(live, 'ann@example.com');
  const to = replyAddress({ messageId: id, key: TOKEN_KEY, domain: INBOUND_DOMAIN });
  await rig.keep({
    raw: 'From: ann@example.com\r\nSubject: Re: x\r\n\r\nyes\r\n',
    to,
    from: 'ann@example.com',
  });
  await rig.raw(`UPDATE inbound_messages SET outcome = 'begun_alone', attempts = ${ends}`);
  rig.start();
  const [row] = await rig.settled();
  const target = await rig.store.messages.forToken(String(row?.detail['message']));
  return { row, message: target?.message };
}

it('a reply that ended the process six times arrives unparsed with its octets', async () => {
  const { row, message } = await replyThatEndsTheProcess(6);
  expect(row).toMatchObject({ state: 'done', outcome: 'reply' });
  expect(row?.detail['unread']).toContain('process crashed');
  expect(message).toMatchObject({ status: 'received', from_email: 'ann@example.com' });
  expect(await rig.store.parkedMails()).toBe(0);
});

it('a reply that ended the process five times is parsed once more', async () => {
  const { row, message } = await replyThatEndsTheProcess(5);
  expect(row).toMatchObject({ state: 'done', outcome: 'reply', attempts: 6 });
  expect(row?.detail['unread']).toBeUndefined();
  expect(message?.subject).toBe('Re: x');
});

it('a reply that causes an internal error at each attempt arrives unparsed', async () => {
  const clock = fixedClock();
  let asked = 0;
  rig = await startInbound({
    sharedReader,
    clock: clock.now,
    reader: () => ({
      read: () => {
        asked += 1;
        return Promise.reject(new Error('a fault in the parser'));
      },
    }),
  });
  const live = await rig.scopeOf('live');
  const { id } = await sent(live, 'ann@example.com');
  const to = replyAddress({ messageId: id, key: TOKEN_KEY, domain: INBOUND_DOMAIN });
  await rig.keep({ raw: 'Subject: Re: x\r\n\r\nyes\r\n', to, from: 'ann@example.com' });
  rig.start();
  for (let count = 1; count < 6; count++) {
    await expect.poll(() => asked, PATIENT).toBe(count);
    await expect.poll(async () => ((await waitingRow())?.due_at ?? 0) > clock.now(), PATIENT).toBe(true);
    clock.advance(((await waitingRow())?.due_at ?? 0) - clock.now());
    rig.ring();
  }
  const [row] = await rig.settled();
  expect(row).toMatchObject({ state: 'done', outcome: 'reply' });
  expect(row?.detail['unread']).toContain('a fault in the parser');
});

it('two simultaneous replies, by reply address and by message id, are one thread', async () => {
  const clock = fixedClock();
  let isRaced = false;
  rig = await startInbound({ sharedReader, clock: clock.now });
  const live = await rig.scopeOf('live');
  const { id } = await sent(live, 'ann@example.com');
  const to = replyAddress({ messageId: id, key: TOKEN_KEY, domain: INBOUND_DOMAIN });
  const { threads } = rig.store;
  const isKnown = threads.isKnown.bind(threads);
  // Between the look and the commit of the first one, the second one is through.
  threads.isKnown = async (...asked) => {
    const answer = await isKnown(...asked);
    if (!isRaced) {
      isRaced = true;
      await rig.raw(`UPDATE messages SET thread_id = 'thr_other' WHERE public_id = '${id}'`);
      await rig.raw(`INSERT INTO threads (id, environment_id, sub_tenant_id, subject, subject_key, correspondent_email,
        correspondent_name, correspondent_key, status, last_message_at, created_at, updated_at)
        SELECT 'thr_other', environment_id, NULL, 'x', 'x', 'bob@example.com', NULL, 'bob@example.com', 'open',
        ${clock.now() + 5}, 0, 0 FROM messages WHERE public_id = '${id}'`);
    }
    return answer;
  };
  await rig.keep({
    raw: 'From: ann@example.com\r\nSubject: Re: x\r\n\r\nyes\r\n',
    to,
    from: 'ann@example.com',
  });
  rig.start();
  await expect.poll(async () => ((await waitingRow())?.due_at ?? 0) > clock.now()).toBe(true);
  clock.advance(15_000);
  rig.ring();
  expect(await rig.settled()).toMatchObject([{ outcome: 'reply', detail: { thread: 'thr_other' } }]);
  expect(await rig.raw('SELECT id, last_message_at FROM threads')).toMatchObject([
    { id: 'thr_other', last_message_at: clock.now() - 15_000 + 5 },
  ]);
});
