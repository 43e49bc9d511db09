import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/contract/refusal.js';
import type { MessageRequest } from '../../src/messages/message.schema.js';
import { readRequest } from '../../src/messages/accept/read-request.js';

const LIMITS = { messageSizeLimitBytes: 1000, attachmentLimit: 2, recipientLimit: 3 };

const read = (request: MessageRequest) => readRequest(request, request, LIMITS);

function problemsOf(fields: Partial<MessageRequest>): unknown[] {
  try {
    read({ to: 'a@example.com', subject: 'S', text: 'T', ...fields });
  } catch (error) {
    if (error instanceof Refusal)
      return ((error.details?.['fields'] ?? []) as { path: string }[]).map(({ path }) => path);
    throw error;
  }
  return [];
}

const fileOf = (bytes: number) => ({ filename: 'a.bin', content: Buffer.alloc(bytes).toString('base64') });

describe('the field checks of a request', () => {
  it.each<[string, Partial<MessageRequest>, string[]]>([
    [
      'attachments above the size limit together',
      { attachments: [fileOf(400), fileOf(400)] },
      ['attachments'],
    ],
    ['too many attachments', { attachments: [fileOf(1), fileOf(1), fileOf(1)] }, ['attachments']],
    ['text above the size limit', { text: 'ü'.repeat(501) }, ['text']],
    ['too many recipients', { cc: ['b@example.com'], bcc: ['c@example.com', 'd@example.com'] }, ['bcc']],
    [
      'the content id of another file',
      {
        attachments: [
          { ...fileOf(1), content_id: 'a' },
          { ...fileOf(1), content_id: 'a' },
        ],
      },
      ['attachments.1.content_id'],
    ],
  ])('refuse %s', (_name, fields, paths) => {
    expect(problemsOf(fields)).toEqual(paths);
  });

  it('report all invalid fields together', () => {
    expect(problemsOf({ to: 'x', subject: 'a\nb', tags: ['ok', '\r'], from: 'y' })).toEqual([
      'subject',
      'tags.1',
      'to',
      'from',
    ]);
  });

  it('accept a Message-ID and List-Unsubscribe for transactional mail without a topic', () => {
    const headers = { 'Message-ID': '<4711@shop.example>', 'List-Unsubscribe': '<https://shop.example/u>' };
    const { messageId, headers: others } = read({ to: 'a@example.com', text: 'T', headers });
    expect(messageId).toBe('4711@shop.example');
    expect(others).toEqual([['List-Unsubscribe', '<https://shop.example/u>']]);
    expect(problemsOf({ headers, type: 'marketing' })).toEqual(['headers.Message-ID']);
    expect(problemsOf({ headers, topic: 'lst_1' })).toEqual(['headers.Message-ID']);
  });

  it('refuse a line break in expires_at, as in all single-line fields', () => {
    expect(problemsOf({ expires_at: '2026-01-03T00:00:00Z\r\n' })).toEqual(['expires_at']);
  });

  it('read require_tls as the TLS requirement of the message', () => {
    const termsOf = (fields: Partial<MessageRequest>): string =>
      read({ to: 'a@example.com', text: 'T', ...fields }).tlsTerms;
    expect([termsOf({ require_tls: true }), termsOf({ require_tls: false }), termsOf({})]).toEqual([
      'required',
      'policy',
      'policy',
    ]);
  });

  it('derive a missing content type from the file name', () => {
    const { attachments } = read({
      ...{ to: 'a@example.com', text: 'T' },
      attachments: [{ filename: 'Q.PDF', content: '' }],
    });
    expect(attachments[0]?.contentType).toBe('application/pdf');
  });
});
