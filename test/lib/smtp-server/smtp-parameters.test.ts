// Tests the parameters of MAIL and RCPT on the wire: DSN, 8BITMIME and SMTPUTF8, with and without the peer's
// support.
import { afterEach, describe, expect, it } from 'vitest';
import { connectSmtp, type MailJob, type SmtpSession } from '../../../src/lib/smtp/index.js';
import { dsnRequest } from '../../../src/lib/dsn/index.js';
import { startScriptedPeer, type ScriptedPeer } from '../../support/scripted-peer.js';

const TAKE = '< *\n> 250 ok\n< *\n> 250 ok\n< DATA\n> 354 go\nbody\n> 250 taken';
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function sessionTo(...offers: string[]): Promise<{ peer: ScriptedPeer; session: SmtpSession }> {
  const offered = ['peer', ...offers];
  const lines = offered.map((offer, i) => `> 250${i === offered.length - 1 ? ' ' : '-'}${offer}`);
  const peer = await startScriptedPeer(`> 220 peer\n< EHLO\n${lines.join('\n')}\n${TAKE}\nstall`);
  open.push(peer.close);
  const outcome = await connectSmtp({
    host: 'mx.example.com',
    address: peer.host,
    port: peer.port,
    ehloName: 'out.example',
    tls: { mode: 'none', verify: false },
  });
  if (outcome.kind === 'failed') throw new Error(outcome.error);
  open.push(() => {
    outcome.session.destroy();
    return Promise.resolve();
  });
  return { peer, session: outcome.session };
}

function job(text: string, more: Partial<MailJob> = {}): MailJob {
  const bytes = Buffer.from(text);
  return {
    mailFrom: 'b@from.example',
    rcptTo: 'ann+a@example.com',
    size: bytes.length,
    chunks: [bytes],
    beforeDot: () => Promise.resolve(true),
    ...more,
  };
}

const PLAIN = 'Subject: hi\r\n\r\nhi\r\n';
const UTF8_BODY = 'Subject: hi\r\n\r\n.Grüße\r\n';
const UTF8_FIELDS = 'Subject: Grüße\r\n\r\nhi\r\n';
const FACTS = { wish: null, messageId: 'msg_1', mailFrom: 'b@from.example', rcptTo: 'ann+a@example.com' };
const SMARTHOST = dsnRequest({ via: 'smarthost', ...FACTS }) ?? {};

describe('DSN parameters', () => {
  it('request everything from a smarthost that supports DSN', async () => {
    const { peer, session } = await sessionTo('DSN');
    expect(await session.deliver(job(PLAIN, { dsn: SMARTHOST }))).toMatchObject({ kind: 'accepted' });
    expect(peer.first().received).toContain('MAIL FROM:<b@from.example> RET=HDRS ENVID=msg_1\r\n');
    expect(peer.first().received).toContain(
      'RCPT TO:<ann+a@example.com> NOTIFY=SUCCESS,FAILURE,DELAY ORCPT=rfc822;ann+2Ba@example.com\r\n',
    );
  });

  it('are omitted without DSN support', async () => {
    const { peer, session } = await sessionTo('8BITMIME');
    expect(await session.deliver(job(PLAIN, { dsn: SMARTHOST }))).toMatchObject({ kind: 'accepted' });
    expect(peer.first().received).toContain('MAIL FROM:<b@from.example>\r\nRCPT TO:<ann+a@example.com>\r\n');
  });

  it('request from an MX only the reports that the submitter wants', async () => {
    for (const [notify, rcpt] of [
      [['SUCCESS'], 'RCPT TO:<ann+a@example.com> NOTIFY=SUCCESS,FAILURE\r\n'],
      [['NEVER'], 'RCPT TO:<ann+a@example.com>\r\n'],
    ] as const) {
      const wish = { notify, ret: null, envid: null, orcpt: null };
      const dsn = dsnRequest({ via: 'mta', ...FACTS, wish });
      const { peer, session } = await sessionTo('DSN');
      expect(await session.deliver(job(PLAIN, dsn ? { dsn } : {}))).toMatchObject({ kind: 'accepted' });
      expect(peer.first().received).toContain(`MAIL FROM:<b@from.example>\r\n${rcpt}`);
    }
  });
});

describe('8-bit mail', () => {
  it('is declared and sent octet by octet', async () => {
    const { peer, session } = await sessionTo('8BITMIME', 'SMTPUTF8');
    expect(await session.deliver(job(UTF8_BODY))).toMatchObject({ kind: 'accepted' });
    const { received } = peer.first();
    expect(received).toContain('MAIL FROM:<b@from.example> BODY=8BITMIME\r\n');
    expect(Buffer.from(received, 'latin1').toString()).toContain('\r\n\r\n..Grüße\r\n.\r\n');
  });

  it('with UTF-8 in its header is declared as such', async () => {
    const { peer, session } = await sessionTo('8BITMIME', 'SMTPUTF8');
    expect(await session.deliver(job(UTF8_FIELDS, { utf8Fields: true }))).toMatchObject({ kind: 'accepted' });
    expect(peer.first().received).toContain('MAIL FROM:<b@from.example> BODY=8BITMIME SMTPUTF8\r\n');
  });

  it.each([
    ['content', UTF8_BODY, {}, ['DSN'], 554, '5.6.3', '8-bit content'],
    ['fields', UTF8_FIELDS, { utf8Fields: true }, ['8BITMIME'], 550, '5.6.7', 'header fields'],
  ] as const)(
    'is refused locally if its %s is not supported',
    async (_what, text, more, offers, code, enhanced, words) => {
      const { peer, session } = await sessionTo(...offers);
      const outcome = await session.deliver(job(text, more));
      expect(outcome).toMatchObject({ kind: 'refused', local: true, reply: { code, enhanced } });
      expect(outcome.kind === 'refused' && outcome.reply.text).toContain(words);
      expect(peer.first().received).not.toContain('MAIL');
    },
  );
});
