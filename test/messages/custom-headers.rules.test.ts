// Tests which custom header fields a customer may set.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  customHeaderProblem,
  customHeaderSetProblem,
} from '../../src/messages/accept/custom-headers.rules.js';
import { composeMessage } from '../../src/lib/mime/index.js';
import { anyText } from '../support/any-text.js';
import { runs } from '../support/run-size.js';

const TRANSACTIONAL = { isTransactional: true };
const MARKETING = { isTransactional: false };

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
    ['X-', 'x'],
    ['Unknown', 'x'],
    ['Solicitation', 'x'],
    ['Require-Recipient-Valid-Since', 'ann@example.com; Sat, 1 Jun 2013 09:23:01 -0700'],
  ])('allows %s', (name, value) => {
    expect(customHeaderProblem(name, value, MARKETING)).toBeNull();
  });

  it.each(
    (
      'From To Cc Bcc Subject Date Sender Reply-To Return-Path Received DKIM-Signature ARC-Seal ' +
      'ARC-Message-Signature Authentication-Results MIME-Version Content-Type Content-Disposition ' +
      'Feedback-ID Resent-From Resent-Message-ID X-Service-Ref Delivered-To TLS-Required TLS-Report-Domain ' +
      'Disposition-Notification-To Errors-To Original-Recipient BIMI-Location'
    ).split(' '),
  )('refuses %s in any case', (name) => {
    expect(customHeaderProblem(name, 'x', TRANSACTIONAL)).not.toBeNull();
    expect(customHeaderProblem(name.toUpperCase(), 'x', TRANSACTIONAL)).not.toBeNull();
    expect(customHeaderProblem(name.toLowerCase(), 'x', TRANSACTIONAL)).not.toBeNull();
  });

  it.each([
    ['Message-ID', '<4711@shop.example>'],
    ['message-id', ' <4711@shop.example> '],
    ['List-Unsubscribe', '<https://shop.example/u?id=1,2>'],
    ['List-Unsubscribe', '<mailto:leave@shop.example?subject=a,b>,<https://shop.example/u>'],
    ['List-Unsubscribe', '<https://shop.example/u> , <mailto:leave@shop.example>'],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ])('allows %s: %s for transactional mail only', (name, value) => {
    expect(customHeaderProblem(name, value, TRANSACTIONAL)).toBeNull();
    expect(customHeaderProblem(name, value, MARKETING)).toMatch(/Mailkeel sets/);
  });

  it.each(['', 'X A', 'X:A', 'X-Ü', 'X-A\r\nBcc', 'X-A\t', 'X-\x7f', `X-${'a'.repeat(80)}`])(
    'refuses the name %j',
    (name) => {
      expect(customHeaderProblem(name, 'x', TRANSACTIONAL)).not.toBeNull();
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
    ['Message-ID', '4711@shop.example'],
    ['Message-ID', '<4711>'],
    ['Message-ID', '<1@shop.example> <2@shop.example>'],
    ['Message-ID', `<${'x'.repeat(500)}@shop.example>`],
    ['List-Unsubscribe', 'https://shop.example/u'],
    ['List-Unsubscribe', '<http://shop.example/u>'],
    ['List-Unsubscribe', '<https://>'],
    ['List-Unsubscribe', '<mailto:>'],
    ['List-Unsubscribe', '<javascript:alert(1)>'],
    ['List-Unsubscribe', '<https://shop.example/u> <https://shop.example/v>'],
    ['List-Unsubscribe', '<https://shop.example/u>,'],
    ['List-Unsubscribe-Post', 'one-click'],
  ])('refuses for %s the value %j', (name, value) => {
    expect(customHeaderProblem(name, value, TRANSACTIONAL)).not.toBeNull();
  });

  it('allows only fields that can be composed', () => {
    const unit = fc.oneof(
      anyText({ maxLength: 50 }),
      fc.constantFrom(' ', '\t', '=?', 'x'.repeat(600), ' '.repeat(600), 'ü'),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('X-A', 'References', 'Comments'),
        fc.array(unit, { maxLength: 6 }).map((all) => all.join('')),
        (name, value) => {
          if (customHeaderProblem(name, value, TRANSACTIONAL) !== null) return;
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
  const problemOf = (headers: [name: string, value: string][]) =>
    customHeaderSetProblem(headers, TRANSACTIONAL);

  it('requires an HTTPS URI for one-click unsubscribing', () => {
    const oneClick: [string, string] = ['list-unsubscribe-post', 'List-Unsubscribe=One-Click'];
    expect(problemOf([oneClick])?.name).toBe('List-Unsubscribe-Post');
    expect(problemOf([oneClick, ['List-Unsubscribe', '<mailto:leave@shop.example>']])?.problem).toMatch(
      /https/,
    );
    expect(problemOf([oneClick, ['list-unsubscribe', '<HTTPS://shop.example/u>']])).toBeNull();
  });

  it('allows repeated unstructured fields and refuses a repeated structured one', () => {
    expect(
      problemOf([
        ['X-A', '1'],
        ['x-a', '2'],
        ['Comments', 'c'],
        ['Comments', 'd'],
      ]),
    ).toBeNull();
    const twice = problemOf([
      ['In-Reply-To', '<a@b.c>'],
      ['in-reply-to', '<d@e.f>'],
    ]);
    expect(twice?.name).toBe('in-reply-to');
  });

  it('refuses more than 32 KiB in total, and names the first invalid field', () => {
    const value = 'word '.repeat(1600).trim();
    expect(problemOf(Array.from({ length: 5 }, (_, i) => [`X-${i}`, value]))?.problem).toMatch(/32 KiB/);
    expect(
      problemOf([
        ['X-A', '1'],
        ['Bcc', 'a@b.c'],
      ])?.name,
    ).toBe('Bcc');
  });
});
