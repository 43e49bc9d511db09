// Tests whole MIME messages over HTTP: both forms of the body, envelope, options, and the refusals of the relay's rules.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMessageRig, type MessageRig } from '../support/message-rig.js';

let rig: MessageRig;
beforeAll(async () => {
  rig = await startMessageRig();
});
afterAll(() => rig.close());

const FIELDS = ['From: News <news@sender.example>', 'To: Ann <ann@example.com>', 'Subject: Hello'];

function mime(fields: readonly string[] = FIELDS, body = 'Hi.', lineEnd = '\r\n'): string {
  return [...fields, '', body, ''].join(lineEnd);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function sendOctets(raw: string | Buffer, query = '', headers: Record<string, string> = {}) {
  return rig.ask('POST', `/v1/messages/raw${query}`, {
    raw,
    headers: { 'content-type': 'message/rfc822', ...headers },
  });
}

function sendJson(body: object, headers: Record<string, string> = {}, key = rig.keys.test) {
  return rig.ask('POST', '/v1/messages/raw', { key, headers, body });
}

describe('POST /v1/messages/raw', () => {
  it('sends a message/rfc822 body to the addresses in To, Cc and Bcc, without the Bcc field', async () => {
    const fields = [...FIELDS, 'Cc: Team: bo@example.com, Cara <cara@example.com>;', 'Bcc: dan@example.com'];
    const answer = await sendOctets(mime(fields));
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({ object: 'message', status: 'queued', to: 'ann@example.com' });
    expect(answer.json.subject).toBe('Hello');
    const { json } = await rig.ask('GET', '/v1/messages?subject=Hello');
    expect(json.data.map(({ to, recipient_role: role }) => [to, role]).toSorted()).toEqual([
      ['ann@example.com', 'to'],
      ['bo@example.com', 'cc'],
      ['cara@example.com', 'cc'],
      ['dan@example.com', 'bcc'],
    ]);
    const content = await rig.ask('GET', `/v1/messages/${answer.json.id}/content`);
    expect(content.json).toMatchObject({ text: expect.stringContaining('Hi.') as string });
  });

  it('sends to the recipients in the query only, each address once', async () => {
    const answer = await sendOctets(mime(), '?to=bo%2Bx@EXAMPLE.com&to=bo%2Bx@example.com');
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({ to: 'bo+x@example.com', recipient_role: 'bcc' });
  });

  it('takes line ends of any kind, and keeps lines that begin with dots', async () => {
    const answer = await sendOctets(mime(FIELDS, '..one\n.two', '\n'));
    expect(answer.status).toBe(202);
    const content = await rig.ask('GET', `/v1/messages/${answer.json.id}/content`);
    expect(content.json).toMatchObject({ text: expect.stringMatching(/^\.\.one\r?\n\.two/) as string });
  });

  it('takes JSON with the envelope and the options of the API', async () => {
    const answer = await sendJson({
      raw: base64(mime([...FIELDS, 'X-Service-Tag: header', 'X-Service-Metadata-Order: 7'])),
      to: 'bo@example.com',
      tags: ['json'],
      metadata: { customer: 4711 },
      priority: 'high',
      require_tls: true,
      send_at: '2026-01-03T00:00:00Z',
    });
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({
      to: 'bo@example.com',
      tags: ['json', 'header'],
      metadata: { customer: 4711, order: '7' },
      priority: 'high',
      scheduled_at: '2026-01-03T00:00:00.000Z',
    });
  });

  it('reads parts and files in a thread', async () => {
    const fields = [...FIELDS, 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'];
    const body = [
      ...['--b', 'Content-Type: text/html', '', '<p>Hi</p>'],
      ...['--b', 'Content-Disposition: attachment; filename=a.txt', '', 'hi', '--b--'],
    ].join('\r\n');
    const answer = await sendOctets(mime(fields, body));
    expect(answer.status).toBe(202);
    expect(answer.json.attachments).toMatchObject([{ filename: 'a.txt' }]);
  });

  it('answers a repeated key with the first message, and refuses other content, options or keys', async () => {
    const body = { raw: base64(mime()), tags: ['one'] };
    const key = { 'idempotency-key': 'raw-1' };
    const first = await sendJson(body, key);
    const again = await sendJson(body, key);
    expect([first.status, again.status, again.json.id]).toEqual([202, 202, first.json.id]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const otherOptions = await sendJson({ ...body, tags: ['two'] }, key);
    const otherContent = await sendJson({ ...body, raw: base64(mime(FIELDS, 'Ho.')) }, key);
    expect([otherOptions, otherContent].map(({ json }) => json.error.code)).toEqual(
      Array.from({ length: 2 }, () => 'idempotency_key_reused'),
    );
    const inHeader = mime([...FIELDS, 'X-Service-Idempotency-Key: raw-2']);
    const { json: mismatch } = await sendOctets(inHeader, '', key);
    expect(mismatch.error.code).toBe('idempotency_key_mismatch');
  });

  it('takes one of many simultaneous requests with the same key', async () => {
    const requests = Array.from({ length: 8 }, () =>
      sendOctets(mime(), '', { 'idempotency-key': 'raw-race' }),
    );
    const answers = await Promise.all(requests);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
  });

  it('accepts only verified senders of the key for live mail', async () => {
    const live = (fields: readonly string[], body: object = {}) =>
      sendJson({ raw: base64(mime(fields)), ...body }, {}, rig.keys.live);
    const [, to = '', subject = ''] = FIELDS;
    const answers = await Promise.all([
      live(FIELDS, { from: 'bounces@sender.example' }),
      live(['From: eve@other.example', to, subject]),
      live([...FIELDS, 'Sender: eve@other.example']),
      live([...FIELDS, 'Resent-From: eve@other.example']),
      live(FIELDS, { from: 'eve@other.example' }),
    ]);
    expect(answers.map(({ status, json }) => (status === 202 ? 202 : json.error.code))).toEqual([
      202,
      ...Array.from({ length: 4 }, () => 'sender_not_verified'),
    ]);
  });
});

describe('a raw message is refused', () => {
  const raw = base64(mime());
  const many = Array.from({ length: 101 }, (_, index) => `r${index}@example.com`);

  it.each<[string, object, string]>([
    ['without raw', { to: 'bo@example.com' }, 'raw'],
    ['with text in place of base64', { raw: mime() }, 'raw'],
    ['with line breaks in base64', { raw: `${raw.slice(0, 8)}\n${raw.slice(8)}` }, 'raw'],
    ['with no message', { raw: base64('\r\n') }, 'raw'],
    ['with a NUL character', { raw: base64(mime(FIELDS, '\0')) }, 'raw'],
    ['with two From fields', { raw: base64(mime([...FIELDS, 'From: bo@sender.example'])) }, 'raw'],
    ['with too many hops', { raw: base64(mime([...FIELDS, ...many.map(() => 'Received: by x')])) }, 'raw'],
    ['with an empty list of recipients', { raw, to: [] }, 'to'],
    ['with more than 100 recipients', { raw, to: many }, 'to'],
    ['with a name in the envelope', { raw, to: ['Bo <bo@example.com>'] }, 'to.0'],
    ['with an unusable address', { raw, to: ['ann@example.com', 'bo@localhost'] }, 'to.1'],
    ['with an unusable sender', { raw, from: 'News <news@sender.example>' }, 'from'],
    ['with an entry without an address', { raw: base64(mime([...FIELDS, 'Cc: Bo'])) }, 'Cc'],
    ['without recipients', { raw: base64(mime([FIELDS[0] ?? '', 'Subject: Hello'])) }, 'to'],
    ['with an unknown field', { raw, html: '<p>Hello</p>' }, 'html'],
    [
      'with an unknown control field',
      { raw: base64(mime([...FIELDS, 'X-Service-Later: 1'])) },
      'X-Service-Later',
    ],
    [
      'with a control field of another service that would be lost',
      { raw: base64(mime([...FIELDS, 'X-MC-MergeVars: {}'])) },
      'X-MC-MergeVars',
    ],
    [
      'with an option that the header contradicts',
      { raw: base64(mime([...FIELDS, 'X-Service-Priority: low'])), priority: 'high' },
      'X-Service-Priority',
    ],
    ['with a past time', { raw, send_at: '2020-01-01T00:00:00Z' }, 'send_at'],
  ])('%s', async (_name, body, path) => {
    const { status, json } = await sendJson(body);
    expect(status).toBe(422);
    expect(json.error.code).toBe('validation_error');
    expect(json.error.param).toBe(path);
  });

  it('with an unknown sub-tenant', async () => {
    const { json } = await sendJson({ raw, sub_tenant_id: 'nobody' });
    expect(json.error.code).toBe('sub_tenant_not_found');
  });

  it('with an envelope in the query of a JSON request', async () => {
    const { json } = await rig.ask('POST', '/v1/messages/raw?to=bo@example.com', { body: { raw } });
    expect(json.error).toMatchObject({ code: 'validation_error', param: 'to' });
  });

  it('with an empty body or another type of body', async () => {
    expect((await sendOctets('')).status).toBe(422);
    expect((await sendOctets(mime(), '', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('if it is larger than the limit', async () => {
    const { status, json } = await sendOctets(
      mime(
        FIELDS,
        'x'
          .repeat(70)
          .concat('\r\n')
          .repeat(rig.config.messageSizeLimitBytes / 70),
      ),
    );
    expect([status, json.error.code]).toEqual([413, 'payload_too_large']);
  });
});
