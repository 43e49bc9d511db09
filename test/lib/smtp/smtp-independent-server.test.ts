// Tests the SMTP client against an independent server: STARTTLS, AUTH, refusals and octet-exact messages.

import { text as readText } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { SMTPServer } from 'smtp-server';
import { connectSmtp } from '../../../src/lib/smtp/connect.js';
import { selfSignedCertificate } from '../../support/test-certificate.js';

const HOST = 'smarthost.example';
const servers: SMTPServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>((resolve) => server.close(() => resolve()));
});

describe('the client and an independent server', () => {
  it('agree on TLS, AUTH, refused recipients and every octet of many messages', async () => {
    const certificate = selfSignedCertificate(HOST);
    const got: string[] = [];
    const server = new SMTPServer({
      ...certificate,
      size: 100_000,
      onAuth: ({ username, password }, _session, done) =>
        done(null, username === 'me' && password === 'secret' ? { user: 'me' } : undefined),
      onRcptTo: ({ address }, _session, done) =>
        done(
          address.startsWith('gone') ? Object.assign(new Error('nobody here'), { responseCode: 550 }) : null,
        ),
      onData: (stream, _session, done) => {
        readText(stream).then((message) => {
          got.push(message);
          done();
        }, done);
      },
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const bound = server.server.address();
    if (bound === null || typeof bound === 'string') throw new Error('no port');

    const opened = await connectSmtp({
      host: HOST,
      address: '127.0.0.1',
      port: bound.port,
      ehloName: 'out.example',
      tls: { mode: 'required', verify: true, ca: certificate.cert },
      auth: { user: 'me', pass: 'secret' },
    });
    if (opened.kind === 'failed') throw new Error(opened.error);
    const { session } = opened;
    expect(session.facts.capabilities).toMatchObject({ pipelining: true, maxSizeBytes: 100_000 });

    const texts = Array.from(
      { length: 30 },
      (_, n) => `Subject: ${n}\r\n\r\n.\r\n..${'.x\r\n'.repeat(n)}\r\nend\r\n`,
    );
    for (const [n, text] of texts.entries()) {
      const job = {
        mailFrom: 'bounce@from.example',
        size: text.length,
        chunks: [Buffer.from(text)],
        beforeDot: () => Promise.resolve(true),
      };
      if (n % 10 === 0) {
        const gone = await session.deliver({ ...job, rcptTo: 'gone@example.com' });
        expect(gone).toMatchObject({ kind: 'refused', phase: 'rcpt', reply: { code: 550 } });
      }
      expect(await session.deliver({ ...job, rcptTo: 'to@example.com' })).toMatchObject({ kind: 'accepted' });
    }
    expect(got).toEqual(texts);
    await session.quit();
  });
});
