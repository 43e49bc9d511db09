import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldField } from '../../../src/lib/mime/header-field.js';
import {
  baseSubject,
  isForwardSubject,
  replyHeaders,
  replySubject,
  subjectKey,
  threadCandidates,
} from '../../../src/lib/mime/threading.js';

describe('baseSubject', () => {
  it.each([
    ['Your order', 'Your order'],
    ['Re: Your order', 'Your order'],
    ['RE: re: Re:Your order', 'Your order'],
    ['AW: WG: Ihre Bestellung', 'Ihre Bestellung'],
    ['Antw: Uw bestelling', 'Uw bestelling'],
    ['SV: Din order', 'Din order'],
    ['VS: Tilaus', 'Tilaus'],
    ['Odp: Zamówienie', 'Zamówienie'],
    ['R: I: Il tuo ordine', 'Il tuo ordine'],
    ['RES: ENC: Seu pedido', 'Seu pedido'],
    ['TR : Votre commande', 'Votre commande'],
    ['RV: Su pedido', 'Su pedido'],
    ['Отв: Ваш заказ', 'Ваш заказ'],
    ['回复：您的订单', '您的订单'],
    ['答复: 转发: 您的订单', '您的订单'],
    ['返信: ご注文', 'ご注文'],
    ['RE[2]: Your order', 'Your order'],
    ['Re(3): Your order', 'Your order'],
    ['Re^2: Your order', 'Your order'],
    ['Re2: Your order', 'Your order'],
    ['Fwd: Re: Your order (fwd)', 'Your order'],
    ['[Fwd: Your order]', 'Your order'],
    ['[EXTERNAL] Re: Your order', 'Your order'],
    ['***SPAM*** Re: Your order', 'Your order'],
    ['Re: [Ticket 7] Re: Your order', '[Ticket 7] Your order'],
    ['[Ticket 7] Re: [Ticket 7] Your order', '[Ticket 7] Your order'],
    ['[Ticket 8] Your order', '[Ticket 8] Your order'],
    ['  Your \t order\r\n ', 'Your order'],
    ['r: the language', 'r: the language'],
    ['Regarding: your order', 'Regarding: your order'],
    ['12:30 is too late', '12:30 is too late'],
    ['Re:', ''],
    ['', ''],
  ])('of "%s" is "%s"', (subject, base) => {
    expect(baseSubject(subject)).toBe(base);
  });

  it('is its own base, and that of a reply', () => {
    const word = fc.constantFrom(
      'Re: ',
      'AW:',
      'Fwd: ',
      '[a] ',
      '[Fwd: x]',
      'x',
      ' ',
      '(fwd)',
      '回复：',
      '[ext] ',
      'é',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const base = baseSubject(words.join(''));
        expect(baseSubject(base)).toBe(base);
        expect(subjectKey(replySubject(words.join('')))).toBe(subjectKey(words.join('')));
      }),
    );
  });

  it('accepts malicious subjects', () => {
    expect(baseSubject('Re: '.repeat(100_000)).length).toBeLessThan(1000);
    expect(baseSubject('['.repeat(100_000)).length).toBeLessThanOrEqual(1000);
    expect(subjectKey('Re: ＯＲＤＥＲ')).toBe('order');
  });
});

describe('a reply', () => {
  it.each([
    ['Your order', 'Re: Your order'],
    ['Re: Your order', 'Re: Your order'],
    ['AW: RE[2]: Your order', 'Re: Your order'],
    ['Fwd: Your order', 'Re: Fwd: Your order'],
    ['Re: a\r\nBcc: b@x.example', 'Re: a Bcc: b@x.example'],
    ['', 'Re:'],
  ])('to "%s" has the subject "%s"', (subject, answer) => {
    expect(replySubject(subject)).toBe(answer);
  });

  it.each([
    ['Fwd: a', true],
    ['WG: a', true],
    ['[EXT] FW: a', true],
    ['[Fwd: a]', true],
    ['Re: Fwd: a', false],
    ['a', false],
  ])('differs from a forward: "%s" %s', (subject, isForward) => {
    expect(isForwardSubject(subject)).toBe(isForward);
  });

  it('refers to its parent and earlier messages', () => {
    expect(replyHeaders({ messageId: 'c@x', references: ['a@x', 'b@x'] })).toEqual([
      ['In-Reply-To', '<c@x>'],
      ['References', '<a@x> <b@x> <c@x>'],
    ]);
    expect(replyHeaders({ messageId: 'a@x', references: ['a@x'] })).toEqual([
      ['In-Reply-To', '<a@x>'],
      ['References', '<a@x>'],
    ]);
    expect(replyHeaders({ messageId: null, references: ['a@x', 'b@x'] })).toEqual([
      ['References', '<a@x> <b@x>'],
    ]);
    expect(replyHeaders({ messageId: '', references: [] })).toEqual([]);
    expect(replyHeaders({ messageId: 'a@x>\r\nBcc: b', references: [] })).toEqual([]);
    expect(replyHeaders({ messageId: 'ä@x', references: [] })).toEqual([]);
  });

  it('keeps the first and latest ids of a long conversation', () => {
    const references = Array.from({ length: 500 }, (_, i) => `${i}@x`);
    const value = replyHeaders({ messageId: 'now@x', references })[1]?.[1].split(' ') ?? [];
    expect(value).toHaveLength(20);
    expect(value[0]).toBe('<0@x>');
    expect(value.slice(-2)).toEqual(['<499@x>', '<now@x>']);
  });

  it('has valid fields for any ids', () => {
    const id = fc.oneof(
      fc.string({ maxLength: 600 }),
      fc.string({ unit: 'grapheme-ascii', minLength: 400, maxLength: 600 }),
    );
    fc.assert(
      fc.property(id, fc.array(id, { maxLength: 60 }), (messageId, references) => {
        for (const [name, value] of replyHeaders({ messageId, references })) {
          expect(value.length).toBeLessThan(4000);
          expect(() => foldField(name, value)).not.toThrow();
        }
      }),
    );
  });
});

describe('threadCandidates', () => {
  const idsOf = (inReplyTo: string[], references: string[]): string[] =>
    threadCandidates({ inReplyTo, references }).map(({ rfcMessageId }) => rfcMessageId);

  it('returns the replied message, then the newest before it', () => {
    expect(idsOf(['c@x'], ['a@x', 'b@x', 'c@x'])).toEqual(['c@x', 'b@x', 'a@x']);
    expect(idsOf([], ['a@x', 'b@x'])).toEqual(['b@x', 'a@x']);
    expect(idsOf(['c@x', 'd@x'], [])).toEqual(['c@x', 'd@x']);
    expect(idsOf([], [])).toEqual([]);
  });

  it('ignores invalid ids', () => {
    expect(idsOf(['', 'a b', 'x'.repeat(501), 'c@x'], ['a\u0000@x'])).toEqual(['c@x']);
  });

  it('returns at most 20, including the first of the conversation', () => {
    const references = Array.from({ length: 1000 }, (_, i) => `${i}@x`);
    const ids = idsOf(['now@x'], references);
    expect(ids).toHaveLength(20);
    expect(ids.slice(0, 3)).toEqual(['now@x', '999@x', '998@x']);
    expect(ids.at(-1)).toBe('0@x');
    expect(idsOf(references, [])).toHaveLength(20);
  });
});
