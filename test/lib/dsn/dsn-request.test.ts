// Tests which delivery reports are requested from a peer.
import { describe, expect, it } from 'vitest';
import { dsnRequest, type DsnFacts } from '../../../src/lib/dsn/dsn-request.js';

const FACTS: DsnFacts = {
  via: 'mta',
  wish: null,
  messageId: 'msg_01k',
  mailFrom: 'b-x@bounce.example.com',
  rcptTo: 'ann+a@example.net',
};
const WISH = { notify: null, ret: null, envid: null, orcpt: null };

const ask = (more: Partial<DsnFacts>) => dsnRequest({ ...FACTS, ...more });
const wishing = (more: Partial<NonNullable<DsnFacts['wish']>>) => ask({ wish: { ...WISH, ...more } });

describe('a peer is asked for', () => {
  it('nothing if no one requested reports', () => {
    expect(ask({})).toBeNull();
    expect(wishing({})).toBeNull();
  });

  it('everything if it is a smarthost, whatever the submitter requested', () => {
    const everything = {
      ret: 'HDRS',
      envid: 'msg_01k',
      notify: ['SUCCESS', 'FAILURE', 'DELAY'],
      orcpt: 'rfc822;ann+2Ba@example.net',
    };
    expect(ask({ via: 'smarthost' })).toEqual(everything);
    const wish = {
      notify: ['NEVER'],
      ret: 'FULL',
      envid: 'theirs',
      orcpt: 'rfc822;list@example.org',
    } as const;
    expect(ask({ via: 'smarthost', wish })).toEqual(everything);
  });

  it('nothing about a report, which has no reports itself', () => {
    expect(ask({ via: 'smarthost', mailFrom: '' })).toBeNull();
    expect(ask({ mailFrom: '', wish: { ...WISH, notify: ['SUCCESS'] } })).toBeNull();
  });

  it('reports about a non-ASCII recipient in the form of RFC 6533', () => {
    expect(ask({ via: 'smarthost', rcptTo: 'jür\\g+e=🎉@example.net' })?.orcpt).toBe(
      'utf-8;j\\x{FC}r\\x{5C}g\\x{2B}e\\x{3D}\\x{1F389}@example.net',
    );
  });

  it.each([
    [['SUCCESS'], ['SUCCESS', 'FAILURE']],
    [
      ['FAILURE', 'DELAY'],
      ['FAILURE', 'DELAY'],
    ],
    [['NEVER'], undefined],
    [[], undefined],
  ] as const)('the requested reports (%j) and failures by an MX', (notify, asked) => {
    expect(wishing({ notify, ret: 'FULL' })).toEqual({ ret: 'FULL', ...(asked && { notify: asked }) });
  });

  it.each([
    ['envid', 'a+20b', true],
    ['envid', 'a b', false],
    ['envid', 'a+2', false],
    ['envid', 'a\r\nDATA', false],
    ['envid', '', false],
    ['envid', 'a'.repeat(101), false],
    ['orcpt', 'rfc822;ann+2Bx@example.com', true],
    ['orcpt', 'utf-8;t\\x{F6}@example.com', true],
    ['orcpt', 'utf-8;tö@example.com', false],
    ['orcpt', 'rfc822;', false],
    ['orcpt', 'ann@example.com', false],
    ['orcpt', 'rfc822;a b', false],
    ['orcpt', 'rfc822;a=b', false],
    ['orcpt', `rfc822;${'a'.repeat(500)}`, false],
  ] as const)('reports with the %s %j: %s', (name, value, isPassedOn) => {
    expect(wishing({ notify: ['SUCCESS'], [name]: value })).toEqual({
      notify: ['SUCCESS', 'FAILURE'],
      ...(isPassedOn && { [name]: value }),
    });
  });
});
