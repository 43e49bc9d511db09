// The custom header fields that a customer may and may not give.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  customHeaderProblem,
  customHeaderSetProblem,
} from '../../src/messages/accept/custom-headers.rules.js';
import { composeMessage } from '../../src/lib/mime/mime-build.js';
import { anyText } from '../support/any-text.js';
import { runs } from '../support/run-size.js';

describe('customHeaderProblem', () => {
  it.each([
    ['X-Campaign', 'spring'],
    ['x-priority', '1'],
    ['X-Note', 'Grüße 😀'],
    ['References', '<a@b.c>\t<d@e.f>'],
    ['In-Reply-To', '<a@b.c>'],
    ['List-Id', 'News <news.example.com>'],
    ['Auto-Submitted', 'auto-generated'],
    ['Importance', 'high'],
    ['Organization', 'Müller GmbH'],
    ['Keywords', 'a, b'],
    ['Comments', 'x'],
    ['Thread-Topic', 'x'],
    ['X-Long', 'word '.repeat(1000)],
    ['X-Token', 'x'.repeat(980)],
  ])('allows %s', (name, value) => {
    expect(customHeaderProblem(name, value)).toBeNull();
  });

  it.each(
    (
      'From To Cc Bcc Subject Date Message-ID Sender Reply-To Return-Path Received DKIM-Signature ARC-Seal ' +
      'ARC-Message-Signature Authentication-Results MIME-Version Content-Type Content-Disposition List-Unsubscribe ' +
      'List-Unsubscribe-Post Feedback-ID Resent-From Resent-Message-ID X-Posthorn-Ref Delivered-To ' +
      'Disposition-Notification-To Errors-To Unknown X-'
    ).split(' '),
  )('refuses %s in any case', (name) => {
    expect(customHeaderProblem(name, 'x')).not.toBeNull();
    expect(customHeaderProblem(name.toUpperCase(), 'x')).not.toBeNull();
    expect(customHeaderProblem(name.toLowerCase(), 'x')).not.toBeNull();
  });

  it.each(['', 'X A', 'X:A', 'X-Ü', 'X-A\r\nBcc', 'X-A\t', 'X-\x7f', `X-${'a'.repeat(80)}`])(
    'refuses the name %j',
    (name) => {
      expect(customHeaderProblem(name, 'x')).not.toBeNull();
    },
  );

  it.each([
    ['X-A', ''],
    ['X-A', ' \t'],
    ['X-A', 'a\r\nBcc: x@y.z'],
    ['X-A', 'a\nb'],
    ['X-A', 'a\rb'],
    ['X-A', 'a\0b'],
    ['X-A', 'a\x1bb'],
    ['X-A', 'x'.repeat(999)],
    ['X-A', `a${' '.repeat(999)}b`],
    ['X-A', 'a '.repeat(5000)],
    ['References', '<ü@b.c>'],
  ])('refuses for %s the value %j', (name, value) => {
    expect(customHeaderProblem(name, value)).not.toBeNull();
  });

  it('allows nothing that cannot be composed', () => {
    const unit = fc.oneof(
      anyText({ maxLength: 50 }),
      fc.constantFrom(' ', '\t', '=?', 'x'.repeat(600), ' '.repeat(600), 'ü'),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('X-A', 'References', 'Comments'),
        fc.array(unit, { maxLength: 6 }).map((all) => all.join('')),
        (name, value) => {
          if (customHeaderProblem(name, value) !== null) return;
          const message = composeMessage({
            from: { email: 'a@b.c', name: null },
            to: [],
            cc: [],
            replyTo: [],
            subject: 's',
            messageId: 'm@b.c',
            date: 0,
            html: null,
            text: 'x\n',
            attachments: [],
            headers: [[name, value]],
            boundarySeed: 's',
          });
          const field = message.headerLines.find((line) => line.startsWith(`${name}:`)) ?? '';
          for (const [index, line] of field.split('\r\n').entries()) {
            expect(line).toMatch(index === 0 ? /^[!-~]+:[\t -~]*\S/ : /^[\t ][\t -~]*\S/);
            expect(line.length).toBeLessThanOrEqual(998);
          }
        },
      ),
      runs(500),
    );
  });
});

describe('customHeaderSetProblem', () => {
  it('allows repeated free fields and refuses a repeated structured one', () => {
    expect(
      customHeaderSetProblem([
        ['X-A', '1'],
        ['x-a', '2'],
        ['Comments', 'c'],
        ['Comments', 'd'],
      ]),
    ).toBeNull();
    const twice = customHeaderSetProblem([
      ['In-Reply-To', '<a@b.c>'],
      ['in-reply-to', '<d@e.f>'],
    ]);
    expect(twice?.name).toBe('in-reply-to');
  });

  it('refuses more than 32 KiB together, and names the first bad field', () => {
    const value = 'word '.repeat(1600).trim();
    expect(customHeaderSetProblem(Array.from({ length: 5 }, (_, i) => [`X-${i}`, value]))?.problem).toMatch(
      /32 KiB/,
    );
    expect(
      customHeaderSetProblem([
        ['X-A', '1'],
        ['Bcc', 'a@b.c'],
      ])?.name,
    ).toBe('Bcc');
  });
});
