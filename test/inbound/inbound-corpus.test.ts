// Tests every mail of test/corpus from end to end: to a signed address, through the parser in its thread, into the rows of its
// message. The .json file next to it has the expected result.
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AutoReplyKind } from '../../src/inbound/classify/auto-reply.rules.js';
import type { BounceClassification } from '../../src/inbound/classify/bounce-report.rules.js';
import { addressKey } from '../../src/lib/mime/index.js';
import { dkimRecordValue, signMessage } from '../../src/lib/dkim/index.js';
import { replyAddress } from '../../src/messages/mail-tokens.rules.js';
import { returnPathLocal } from '../../src/messages/verp.rules.js';
import type { MailReader } from '../../src/inbound/classify/mail-reader.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import {
  BOUNCE_DOMAIN,
  FBL,
  FEEDBACK_SOURCE,
  INBOUND_DOMAIN,
  openMailReader,
  startInbound,
  type InboundProgram,
  type SettledRow,
} from '../support/inbound.js';
import { eventOf, newMessage, newWorld } from '../database/contract/builders.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';

/** The tokens in the corpus of complaints are signed with it. */
const TOKEN_KEY = { id: 3, secret: Buffer.alloc(32, 7) };

/** Threads that parse, for all rigs, and the name server that they ask about signatures. */
let dns: TestDnsServer;
let sharedReader: MailReader;
beforeAll(async () => {
  dns = await startDnsServer();
  sharedReader = openMailReader([dns.address], { threads: 1 });
});
afterAll(async () => {
  await sharedReader.close();
  await dns.close();
});

interface CorpusMail<Expected> {
  file: string;
  raw: Buffer;
  expected: Expected;
}

function corpus<Expected>(folder: string): CorpusMail<Expected>[] {
  const at = new URL(`../corpus/${folder}/`, import.meta.url);
  return readdirSync(at)
    .filter((file) => file.endsWith('.eml'))
    .map((file) => ({
      file,
      raw: readFileSync(new URL(file, at)),
      expected: JSON.parse(readFileSync(new URL(file.replace('.eml', '.json'), at), 'utf8')) as Expected,
    }));
}

/** Sends a message in a new workspace, so that no other mail has an effect on it. */
async function sent(
  rig: InboundProgram,
  to: string,
  { status = 'delivered', publicId = '' }: { status?: 'sent' | 'delivered'; publicId?: string } = {},
) {
  const { live } = await newWorld(rig.store);
  const row = { status, to_key: addressKey(to), ...(publicId === '' ? {} : { public_id: publicId }) };
  const message = newMessage(live, { to, queued: false, row });
  const id = message.row.public_id;
  message.events = [eventOf(live, id, 'queued'), eventOf(live, id, 'sent')];
  if (status === 'delivered') message.events.push(eventOf(live, id, 'delivered'));
  await rig.store.commit([acceptMessage({ message })]);
  const named = { messageId: id, key: TOKEN_KEY };
  return {
    id,
    scope: live,
    returnPath: `${returnPathLocal({ ...named, domain: BOUNCE_DOMAIN })}@${BOUNCE_DOMAIN}`,
    replyTo: replyAddress({ ...named, domain: INBOUND_DOMAIN }),
  };
}

type Sent = Awaited<ReturnType<typeof sent>>;

async function messageOf(rig: InboundProgram, id: string) {
  const target = await rig.store.messages.forToken(id);
  if (!target) throw new Error(`no message ${id}`);
  return target.message;
}

async function trailOf(rig: InboundProgram, id: string): Promise<string[]> {
  const { id: rowId } = await messageOf(rig, id);
  return (await rig.store.events.auditTrailOfMessage(rowId)).map(({ event }) => event);
}

const suppressionsOf = (rig: InboundProgram, { scope }: Sent) =>
  rig.raw('SELECT email_key, reason FROM suppressions WHERE environment_id = ?', [scope.environmentId]);

const rowFor = (rows: readonly SettledRow[], address: string): SettledRow => {
  const row = rows.find(({ rcpt_to: to }) => to === address);
  if (!row) throw new Error(`nothing came to ${address}`);
  return row;
};

const senderOf = (raw: Buffer): string =>
  /^From:[^\r\n]*?([^\s<>"]+@[^\s<>"]+)/im.exec(raw.toString('latin1'))?.[1] ?? '';

type ExpectedBounce = {
  report: { format: string } | null;
  judgements: readonly (BounceClassification & { recipient: string })[];
};

interface BounceCase {
  file: string;
  raw: Buffer;
  format: string;
  recipient: string;
  /** Null if it is not a report. */
  judgement: BounceClassification | null;
}

describe('bounces at the return path', () => {
  let rig: InboundProgram;
  let rows: SettledRow[];
  const cases = corpus<ExpectedBounce>('bounces').flatMap(({ file, raw, expected }): BounceCase[] =>
    expected.report === null
      ? [{ file, raw, format: '', recipient: 'bob@example.com', judgement: null }]
      : expected.judgements.map(({ recipient, ...judgement }) => ({
          file,
          raw,
          format: expected.report?.format ?? '',
          recipient,
          judgement,
        })),
  );
  const messages = new Map<BounceCase, Sent>();

  beforeAll(async () => {
    rig = await startInbound({ tokenKey: TOKEN_KEY, sharedReader });
    for (const one of cases) {
      const isSuccess = one.judgement?.outcome === 'delivered' || one.judgement?.outcome === 'expanded';
      const message = await sent(rig, one.recipient, { status: isSuccess ? 'sent' : 'delivered' });
      messages.set(one, message);
      await rig.keep({ raw: one.raw, to: message.returnPath });
    }
    rig.start();
    rows = await rig.settled();
  });
  afterAll(() => rig.close());

  it.each(cases)('$file for $recipient', async (one) => {
    const message = messages.get(one);
    if (!message) throw new Error('not sent');
    const { judgement } = one;
    const { state, outcome, detail } = rowFor(rows, message.returnPath);
    const kept = await messageOf(rig, message.id);
    const trail = await trailOf(rig, message.id);
    expect(state).toBe('done');
    if (judgement === null) {
      expect(outcome).toMatch(/^(?:automatic|unrecognized|complaint_untrusted|complaint_other)$/);
      expect(kept).toMatchObject({ status: 'delivered', error: null });
      expect(trail).toEqual(['queued', 'sent', 'delivered']);
      expect(await suppressionsOf(rig, message)).toEqual([]);
      return;
    }
    expect(outcome).toBe(judgement.outcome === 'expanded' ? 'delivered' : judgement.outcome);
    expect(detail).toEqual({ message: message.id, format: one.format });
    if (judgement.outcome !== 'bounced') {
      expect(kept).toMatchObject({ status: 'delivered', error: null });
      expect(await suppressionsOf(rig, message)).toEqual([]);
      expect(trail.at(-1)).toBe(judgement.outcome === 'delayed' ? 'deferred' : 'delivered');
      return;
    }
    expect(kept.status).toBe('bounced');
    expect(JSON.parse(kept.error ?? '')).toMatchObject({
      type: judgement.type,
      category: judgement.category,
      code: judgement.code,
      enhanced_code: judgement.enhanced,
      message: judgement.message,
      remote_host: judgement.remoteHost,
    });
    expect(trail.slice(3)).toEqual(judgement.suppress === 'now' ? ['bounced', 'suppressed'] : ['bounced']);
    expect(await suppressionsOf(rig, message)).toEqual(
      judgement.suppress === 'now' ? [{ email_key: addressKey(one.recipient), reason: 'bounce' }] : [],
    );
  });
});

interface ExpectedComplaint {
  report: { type: string } | null;
  messageId?: string | null;
  verdicts?: { signed: string; unsigned: string; configured: string };
}

describe.each([{ by: 'unsigned' }, { by: 'signed' }, { by: 'configured' }] as const)(
  'complaints at their address, $by',
  ({ by }) => {
    let rig: InboundProgram;
    let rows: { file: string; row: SettledRow }[];
    const messages = new Map<string, Sent>();
    const cases = corpus<ExpectedComplaint>('complaints');

    beforeAll(async () => {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const signed = (raw: Buffer): Buffer => {
        const text = raw.toString('latin1');
        const domain = senderOf(raw).replace(/^.*@/, '');
        dns.set(`s1._domainkey.${domain}`, 'TXT', [dkimRecordValue(publicKey, 'ed25519-sha256')]);
        const end = text.indexOf('\r\n\r\n');
        const [field = ''] = signMessage({
          headerLines: text.slice(0, end).split(/\r\n(?![ \t])/),
          body: raw.subarray(end + 4),
          signers: [{ domain, selector: 's1', algorithm: 'ed25519-sha256', privateKey }],
          signedAt: Math.floor(Date.now() / 1000),
        });
        return Buffer.concat([Buffer.from(`${field}\r\n`, 'latin1'), raw]);
      };
      rig = await startInbound({ tokenKey: TOKEN_KEY, dnsServers: [dns.address], sharedReader });
      for (const { raw, expected } of cases) {
        const { messageId = null } = expected;
        if (messageId !== null && !messages.has(messageId)) {
          messages.set(messageId, await sent(rig, 'ann@example.com', { publicId: messageId }));
        }
        const octets = by === 'signed' ? signed(raw) : raw;
        const client = by === 'configured' ? { client: FEEDBACK_SOURCE } : {};
        await rig.keep({ raw: octets, to: FBL, from: senderOf(raw), ...client });
      }
      rig.start();
      const settled = await rig.settled();
      rows = cases.map(({ file }, index) => ({ file, row: settled[index] as SettledRow }));
    });
    afterAll(() => rig.close());

    it.each(cases)('$file', async ({ file, expected }) => {
      const row = rows.find((one) => one.file === file)?.row;
      expect(row?.state).toBe('done');
      const { messageId = null, verdicts } = expected;
      if (expected.report === null || !verdicts) {
        expect(row?.outcome).toMatch(/^(?:automatic|unrecognized)$/);
        return;
      }
      if (messageId === null) {
        expect(row).toMatchObject({
          outcome: 'complaint_about_unknown',
          detail: { classification: verdicts[by] },
        });
        return;
      }
      const isComplaint = verdicts[by] === 'complaint';
      expect(row).toMatchObject({
        outcome: isComplaint ? 'complaint' : `complaint_${verdicts[by]}`,
        detail: { message: messageId },
      });
      const message = messages.get(messageId);
      if (!message) throw new Error('not sent');
      const trail = ['queued', 'sent', 'delivered'];
      expect(await trailOf(rig, messageId)).toEqual(
        isComplaint ? [...trail, 'complained', 'suppressed'] : trail,
      );
      expect((await messageOf(rig, messageId)).status).toBe(isComplaint ? 'complained' : 'delivered');
      expect(await suppressionsOf(rig, message)).toEqual(
        isComplaint ? [{ email_key: 'ann@example.com', reason: 'complaint' }] : [],
      );
    });
  },
);

interface ExpectedReply {
  visibleText: string;
  signature: string | null;
  quotedStartsWith: string | null;
  attachments: readonly string[];
}

describe('replies at the reply address', () => {
  let rig: InboundProgram;
  let rows: SettledRow[];
  const cases = corpus<ExpectedReply>('replies');
  const messages = new Map<string, Sent>();

  beforeAll(async () => {
    rig = await startInbound({ tokenKey: TOKEN_KEY, sharedReader });
    for (const { file, raw } of cases) {
      const message = await sent(rig, 'ann@example.com');
      messages.set(file, message);
      await rig.keep({ raw, to: message.replyTo, from: senderOf(raw) });
    }
    rig.start();
    rows = await rig.settled();
  });
  afterAll(() => rig.close());

  it.each(cases)('$file', async ({ file, raw, expected }) => {
    const message = messages.get(file);
    if (!message) throw new Error('not sent');
    const { outcome, detail } = rowFor(rows, message.replyTo);
    expect(outcome).toBe('reply');
    const id = String(detail['message']);
    const reply = await messageOf(rig, id);
    const parent = await messageOf(rig, message.id);
    expect(reply).toMatchObject({ status: 'received', thread_id: detail['thread'] });
    expect(parent).toMatchObject({ status: 'delivered', thread_id: detail['thread'] });
    expect(await trailOf(rig, id)).toEqual(['received']);
    const [kept] = await rig.raw('SELECT * FROM received_messages WHERE message_id = ?', [reply.id]);
    expect(kept).toMatchObject({
      in_reply_to_id: parent.id,
      auto_reply: null,
      visible_text: expected.visibleText,
      signature: expected.signature,
    });
    const { quotedStartsWith } = expected;
    if (quotedStartsWith === null) expect(kept?.['quoted_text']).toBeNull();
    else expect(String(kept?.['quoted_text']).slice(0, quotedStartsWith.length)).toBe(quotedStartsWith);
    const files = await rig.raw('SELECT filename FROM attachments WHERE content_id = ? ORDER BY position', [
      reply.content_id,
    ]);
    expect(files.map(({ filename }) => filename)).toEqual(expected.attachments);
    const [octets] = await rig.raw(
      'SELECT r.content FROM raws r JOIN contents c ON c.raw_id = r.id WHERE c.id = ?',
      [reply.content_id],
    );
    expect(Buffer.from(octets?.['content'] as Uint8Array).equals(raw)).toBe(true);
  });
});

interface ExpectedAutoReply {
  envelopeFrom: string;
  kind: AutoReplyKind | null;
}

describe('automatic replies', () => {
  let rig: InboundProgram;
  let rows: SettledRow[];
  const cases = corpus<ExpectedAutoReply>('auto-replies');
  const messages = new Map<string, { answered: Sent; reported: Sent }>();

  beforeAll(async () => {
    rig = await startInbound({ tokenKey: TOKEN_KEY, sharedReader });
    for (const { file, raw, expected } of cases) {
      const answered = await sent(rig, 'ann@example.com');
      const reported = await sent(rig, 'ann@example.com');
      messages.set(file, { answered, reported });
      await rig.keep({ raw, to: answered.replyTo, from: expected.envelopeFrom });
      await rig.keep({ raw, to: reported.returnPath, from: expected.envelopeFrom });
    }
    rig.start();
    rows = await rig.settled();
  });
  afterAll(() => rig.close());

  it.each(cases)('$file, at the reply address', async ({ file, expected }) => {
    const message = messages.get(file)?.answered;
    if (!message) throw new Error('not sent');
    const { outcome, detail } = rowFor(rows, message.replyTo);
    const trail = await trailOf(rig, message.id);
    if (expected.kind === 'report') {
      expect(outcome).toBe('bounced');
      return;
    }
    const id = String(detail['message']);
    const reply = await messageOf(rig, id);
    const [kept] = await rig.raw('SELECT auto_reply FROM received_messages WHERE message_id = ?', [reply.id]);
    expect(kept).toEqual({ auto_reply: expected.kind });
    const isPersons = expected.kind === null;
    expect(outcome).toBe(isPersons ? 'reply' : 'auto_reply');
    expect(await trailOf(rig, id)).toEqual([isPersons ? 'received' : 'auto_replied']);
    expect(trail.slice(3)).toEqual(isPersons ? [] : ['auto_replied']);
    expect(reply.thread_id === null).toBe(!isPersons);
  });

  it.each(cases)('$file, at the return path', async ({ file, expected }) => {
    const message = messages.get(file)?.reported;
    if (!message) throw new Error('not sent');
    const { outcome } = rowFor(rows, message.returnPath);
    // A report remains a report, regardless of the address it is sent to.
    if (expected.kind === 'report' || file === '30-person-passes-on-a-report.eml') {
      expect(outcome).toBe('bounced');
      return;
    }
    expect(outcome).toBe(expected.kind === null ? 'unrecognized' : 'automatic');
    expect(await trailOf(rig, message.id)).toEqual(['queued', 'sent', 'delivered']);
    expect(await messageOf(rig, message.id)).toMatchObject({ status: 'delivered', thread_id: null });
  });
});
