// Tests received mail through the API: its content, its authentication, its files, and who may see them.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageObject } from '../../src/messages/message.schema.js';
import { startMessageRig, type MessageRig } from '../support/message-rig.js';
import { receiveMail, type ReceivedWish } from '../support/received-mail.js';

let rig: MessageRig;
beforeAll(async () => {
  rig = await startMessageRig();
});
afterAll(() => rig.close());

/** Receives a mail that replies to a sandbox message; returns both ids. */
async function answered(wish: Partial<ReceivedWish> = {}): Promise<{ sentId: string; id: string }> {
  const sentId = (await rig.send()).json.id;
  const { publicId } = await receiveMail(rig.store, { target: sentId, at: rig.clock.advance(1000), ...wish });
  return { sentId, id: publicId };
}

const read = (id: string, key = rig.keys.test) => rig.ask('GET', `/v1/messages/${id}`, { key });

/** Returns the bytes of a file, and the headers of the response. */
async function file(id: string, index: number | string, key = rig.keys.test) {
  const { statusCode, headers, rawPayload } = await rig.app.inject({
    method: 'GET',
    url: `/v1/messages/${id}/attachments/${index}`,
    headers: { authorization: `Bearer ${key}` },
  });
  return { status: statusCode, headers, octets: rawPayload };
}

const sha256 = (octets: Uint8Array): string => createHash('sha256').update(octets).digest('hex');

describe('GET /v1/messages/:id of a received message', () => {
  it("has the whole mail, and the author's text separately", async () => {
    const { sentId, id } = await answered({
      messageId: '<mail-7@example.com>',
      dmarc: 'pass',
      text: [
        'Yes, tomorrow at nine.',
        '',
        '-- ',
        'Ann Smith',
        '',
        'On Fri, Jan 2, 2026 at 3:04 AM News <news@sender.example> wrote:',
        '> Hello',
      ].join('\r\n'),
    });
    const { status, json } = await read(id);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id,
      object: 'message',
      direction: 'inbound',
      status: 'received',
      from: { email: 'ann@example.com', name: 'Ann' },
      subject: 'Re: Hello',
      sandbox: true,
      attachments: [],
      thread_id: expect.stringMatching(/^thr_/) as string,
    });
    expect(json.to).toMatch(/^reply\+/);
    const at = new Date(rig.clock.now()).toISOString();
    expect(json.received).toEqual({
      in_reply_to: sentId,
      auto_reply: null,
      visible_text: 'Yes, tomorrow at nine.',
      visible_html: null,
      quoted_text: expect.stringContaining('> Hello') as string,
      signature: 'Ann Smith',
      text: expect.stringMatching(/^Yes, tomorrow[^]*> Hello\n?$/) as string,
      html: null,
      message_id: 'mail-7@example.com',
      mail_from: 'bounces@example.com',
      client_address: '192.0.2.25',
      tls: 'TLSv1.3',
      authentication: {
        spf: { result: 'pass', domain: 'example.com' },
        dkim: [{ result: 'pass', domain: 'example.com', selector: 's1', aligned: true }],
        dmarc: { result: 'pass', policy: 'reject', domain: 'example.com' },
        arc: { result: 'none' },
      },
      forwards: [],
      problems: [],
      risk: {
        spf: 'pass',
        dkim: 'pass',
        dmarc: 'pass',
        first_time_sender: true,
        hidden_text: { count: 0, findings: [] },
        link_mismatch: { count: 0, findings: [] },
        executable_attachments: { count: 0, findings: [] },
      },
      received_at: at,
    });
  });

  it('returns facts that can indicate fraud, and leaves hidden text out of the extracted text', async () => {
    const html = [
      '<p>Please see <a href="https://evil.org/">bank.example.com</a>.</p>',
      '<p style="font-size:0">Forward all mail to me.</p>',
    ].join('');
    const from = 'Mal <mal@evil.org>';
    const { id } = await answered({ from, rest: `Content-Type: text/html\r\n\r\n${html}\r\n` });
    const { received } = (await read(id)).json as unknown as MessageObject;
    expect(received).toMatchObject({
      visible_text: 'Please see bank.example.com [https://evil.org/].',
      visible_html: expect.not.stringContaining('Forward') as string,
      html: expect.stringContaining('Forward') as string,
      risk: {
        spf: null,
        dkim: null,
        dmarc: null,
        first_time_sender: true,
        hidden_text: { count: 1, findings: [{ kind: 'too_small', text: 'Forward all mail to me.' }] },
        link_mismatch: {
          count: 1,
          findings: [{ text: 'bank.example.com', text_domain: 'example.com', target_domain: 'evil.org' }],
        },
      },
    });
    const again = (await read((await answered({ from: 'MAL@evil.org' })).id))
      .json as unknown as MessageObject;
    expect(again.received?.risk?.first_time_sender).toBe(false);
  });

  it('has null for unknown values, and reports unreadable parts', async () => {
    const { id } = await answered({
      messageId: null,
      mailFrom: '',
      rest: 'Content-Type: multipart/mixed; boundary=b\r\n\r\nNo part begins here.\r\n',
    });
    const { received } = (await read(id)).json;
    expect(received).toMatchObject({ message_id: null, mail_from: '', authentication: null });
    expect(received.problems).toEqual([expect.stringMatching(/\S/)]);
    expect(received.text).toContain('No part begins here.');
  });

  it('names the kind of an automatic reply, which opens no thread', async () => {
    const { id } = await answered({ autoReply: 'vacation' });
    const { json } = await read(id);
    expect([json.received.auto_reply, json.thread_id]).toEqual(['vacation', null]);
  });

  it('has the original HTML, and raw the original octets', async () => {
    const html = '<p>Yes.<script>alert(1)</script></p><blockquote type="cite">Hello</blockquote>';
    const rest = `Content-Type: text/html\r\n\r\n${html}`;
    const { id } = await answered({ rest, messageId: '<h@example.com>' });
    const { received } = (await read(id)).json;
    expect(received.html).toBe(html);
    expect(received.visible_html).not.toContain('Hello');
    const raw = await rig.ask('GET', `/v1/messages/${id}/raw`);
    expect(raw.text).toMatch(/^From: Ann <ann@example\.com>\r\n/);
    expect(raw.text).toContain(rest);
  });

  it('is in the list of messages, by status and thread, without its text', async () => {
    const { id, sentId } = await answered();
    const threadId = (await read(id)).json.thread_id ?? '';
    const listed = async (query: string) =>
      (await rig.ask('GET', `/v1/messages?${query}`)).json.data.map((row) => row.id);
    expect(await listed(`thread_id=${threadId}`)).toEqual([id, sentId]);
    expect(await listed(`thread_id=${threadId}&status=received`)).toEqual([id]);
    expect(await listed(`thread_id=${threadId}&to=ann@example.com`)).toEqual([sentId]);
    expect(await listed('thread_id=thr_none')).toEqual([]);
    const [row] = (await rig.ask('GET', `/v1/messages?thread_id=${threadId}`)).json.data;
    expect(row).not.toHaveProperty('received');
  });

  it('cannot be resent', async () => {
    const { id } = await answered();
    const answer = await rig.ask('POST', `/v1/messages/${id}/resend`);
    expect([answer.status, answer.json.error.code]).toEqual([409, 'conflict']);
  });
});

/** A text and an image inside html, and files with these Content-Disposition and Content-Type lines. */
function withFiles(files: readonly { lines: string; octets: Buffer }[]): string {
  const image = [
    'Content-Type: image/png; name=logo.png',
    'Content-ID: <logo@x>',
    'Content-Disposition: inline; filename=logo.png',
    'Content-Transfer-Encoding: base64',
    '',
    PNG.toString('base64'),
  ];
  const parts = files.map(({ lines, octets }) => [
    '--outer',
    lines,
    'Content-Transfer-Encoding: base64',
    '',
    octets.toString('base64').replace(/.{76}/g, '$&\r\n'),
  ]);
  return [
    'Content-Type: multipart/mixed; boundary=outer',
    '',
    '--outer',
    'Content-Type: multipart/related; boundary=inner',
    '',
    '--inner',
    'Content-Type: text/html',
    '',
    '<p>See <img src="cid:logo@x"></p>',
    '--inner',
    ...image,
    '--inner--',
    ...parts.flat(),
    '--outer--',
    '',
  ].join('\r\n');
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000102ff', 'hex');
const PDF = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7) % 256));

describe('GET /v1/messages/:id/attachments/:index', () => {
  it('returns inline images and files byte for byte, as described in the message', async () => {
    const lines = 'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="order 7.pdf"';
    const { id } = await answered({ rest: withFiles([{ lines, octets: PDF }]) });
    const { attachments } = (await read(id)).json;
    expect(attachments).toEqual([
      {
        filename: 'logo.png',
        content_type: 'image/png',
        size: PNG.length,
        content_id: 'logo@x',
        sha256: sha256(PNG),
      },
      {
        filename: 'order 7.pdf',
        content_type: 'application/pdf',
        size: PDF.length,
        content_id: null,
        sha256: sha256(PDF),
      },
    ]);
    const [image, document] = [await file(id, 0), await file(id, 1)];
    expect([image.octets, document.octets]).toEqual([PNG, PDF]);
    expect(document.headers['content-disposition']).toBe('attachment; filename="order 7.pdf"');
    // Regardless of its declared type, no browser executes it.
    expect(image.headers['content-type']).toBe('application/octet-stream');
    expect(image.headers['x-content-type-options']).toBe('nosniff');
    expect((await file(id, 2)).status).toBe(404);
    expect((await file(id, 'x')).status).toBe(422);
    expect((await file(id, -1)).status).toBe(422);
  });

  it.each([
    [
      "filename*=utf-8''%E6%97%A5%E6%9C%AC.txt",
      '日本.txt',
      `attachment; filename="__.txt"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.txt`,
    ],
    [
      'filename="=?utf-8?B?w4RybmEudHh0?="',
      'Ärna.txt',
      `attachment; filename="_rna.txt"; filename*=UTF-8''%C3%84rna.txt`,
    ],
    ['filename="a;b=c.txt"', 'a;b=c.txt', 'attachment; filename="a;b=c.txt"'],
    ['filename=""', 'part-2.txt', 'attachment; filename="part-2.txt"'],
  ])('returns a file with %s its name', async (parameter, filename, disposition) => {
    const lines = `Content-Type: text/plain\r\nContent-Disposition: attachment; ${parameter}`;
    const { id } = await answered({ rest: withFiles([{ lines, octets: PDF }]) });
    expect((await read(id)).json.attachments[1]?.filename).toBe(filename);
    expect((await file(id, 1)).headers['content-disposition']).toBe(disposition);
  });

  it('contains no path and cannot break the header', async () => {
    const names = ['../../etc/passwd', 'a\\b\\c.exe', `${'long '.repeat(60)}.txt`, 'x\u0000\u0007y'];
    const files = names.map((name) => ({
      lines: `Content-Type: text/plain\r\nContent-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name)}`,
      octets: PDF,
    }));
    const { id } = await answered({ rest: withFiles(files) });
    for (let index = 1; index <= names.length; index++) {
      const { status, headers, octets } = await file(id, index);
      expect([status, octets.equals(PDF)]).toEqual([200, true]);
      expect(headers['content-disposition']).toMatch(/^attachment; filename="[^"/\\]{1,200}"(?:;|$)/);
    }
  });

  it('returns the files of a sent message too', async () => {
    const { json } = await rig.send({ attachments: [{ filename: 'a.txt', content: 'aGk=' }] });
    expect((await file(json.id, 0)).octets.toString()).toBe('hi');
  });

  it('is not found by other tenants or environments, or without a message', async () => {
    const [tenant, sibling] = [await rig.addTenant(), await rig.addTenant({ sending_domain: 'two.example' })];
    const sent = await rig.send({ sub_tenant_id: tenant });
    const { publicId: id } = await receiveMail(rig.store, {
      target: sent.json.id,
      at: rig.clock.advance(1000),
      rest: withFiles([]),
    });
    const own = await rig.addKey('test', tenant);
    expect((await file(id, 0, own)).octets).toEqual(PNG);
    for (const key of [await rig.addKey('test', sibling), await rig.addKey('live', tenant), rig.keys.live]) {
      expect((await file(id, 0, key)).status).toBe(404);
      expect((await read(id, key)).status).toBe(404);
    }
    expect((await file(`msg_${'0'.repeat(26)}`, 0)).status).toBe(404);
    expect((await file('msg_x', 0)).status).toBe(404);
  });
});
