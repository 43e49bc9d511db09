import { describe, expect, it } from 'vitest';
import { unsubscribeToken } from '../../src/contacts/unsubscribe.rules.js';
import {
  hrefChecksum,
  clickUrl,
  openUrl,
  readClick,
  readOpenToken,
  trackingBase,
} from '../../src/tracking/tracking-tokens.rules.js';

const KEY = { id: 1, secret: Buffer.alloc(32, 7) };
const OTHER = { id: 1, secret: Buffer.alloc(32, 8) };
const ID = 'msg_0123456789abcdefghjkmnpqrs';
const named = { base: 'https://mail.example', messageId: ID, key: KEY };

const openToken = openUrl(named).slice('https://mail.example/o/'.length);
const partsOf = (url: string) => url.slice('https://mail.example/c/'.length).split('/');
const [clickToken = '', clickIndex = ''] = partsOf(clickUrl(named, { index: 12, place: null }));
const PLACED = {
  index: 3,
  place: { start: 1_048_575, length: 8_192, check: hrefChecksum('https://a.example/') },
};

describe('tracking links', () => {
  it('contain their message id, in any letter case', () => {
    expect(readOpenToken(openToken, [OTHER, KEY].slice(1))).toBe(ID);
    expect(readOpenToken(openToken.toUpperCase(), [KEY])).toBe(ID);
    expect(readClick(clickToken, clickIndex, [KEY])).toEqual({ messageId: ID, index: 12, place: null });
  });

  it('contain the position of a link, which cannot be changed', () => {
    const [token = '', link = ''] = partsOf(clickUrl(named, PLACED));
    expect(readClick(token, link, [KEY])).toEqual({ messageId: ID, ...PLACED });
    expect(readClick(token.toUpperCase(), link.toUpperCase(), [KEY])).toEqual({ messageId: ID, ...PLACED });
    const [index, start, length, check] = link.split('-');
    for (const other of [
      `${index}`,
      `${index}-${start}`,
      `${index}-${start}-${length}`,
      `${index}-0-${length}-${check}`,
      `${index}-${start}-1-${check}`,
      `${index}-${start}-${length}-0`,
      `0${link}`,
      `${link}-`,
    ]) {
      expect(readClick(token, other, [KEY]), other).toBeNull();
    }
  });

  it('have 80 bits that no one else can compute', () => {
    expect(openToken).toHaveLength(26 + 1 + 16);
    expect(readOpenToken(openToken, [OTHER])).toBeNull();
    expect(readClick(clickToken, clickIndex, [OTHER])).toBeNull();
  });

  it('are valid for no other link and no other kind', () => {
    for (const index of ['0', '1', '13', '012', '12 ', '-12', '1e1', '', '9999999', 'x']) {
      expect(readClick(clickToken, index, [KEY]), index).toBeNull();
    }
    expect(readClick(openToken, '0', [KEY])).toBeNull();
    expect(readOpenToken(clickToken, [KEY])).toBeNull();
    expect(readOpenToken(unsubscribeToken(ID, KEY), [KEY])).toBeNull();
  });
});

it.each([
  ['https://mail.example', null, 'https://mail.example'],
  ['https://mail.example', 'click.customer.example', 'https://click.customer.example'],
  ['http://localhost:8080', 'click.customer.example', 'http://click.customer.example:8080'],
  ['https://mail.example/post', 'click.customer.example', 'https://click.customer.example/post'],
])('links of %s under %s begin with %s', (publicUrl, host, base) => {
  expect(trackingBase(publicUrl, host)).toBe(base);
});
