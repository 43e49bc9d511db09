import { describe, expect, it } from 'vitest';
import { classifyDmarcRow, type OwnSending } from '../../src/inbound/reports/dmarc-class.rules.js';

const OURS = '192.0.2.80';
const OTHER = '203.0.113.7';
const KEYS = { domain: 'shop.example', names: new Set(['ph1 shop.example', 'ph1 platform.example']) };
const declared: OwnSending = { isOurAddress: (address) => address === OURS, knowsAllAddresses: true };
const bySmarthost: OwnSending = { isOurAddress: () => false, knowsAllAddresses: false };

type Row = Parameters<typeof classifyDmarcRow>[0];
const row = (source: string, more: Partial<Row> = {}): Row => ({
  ...{ source_ip: source, dkim: 'fail', spf: 'fail', reasons: [], auth_dkim: [], auth_spf: null },
  ...more,
});
const signed = (result: string, domain = 'shop.example', selector = 'ph1'): Partial<Row> => ({
  dkim: result === 'pass' && domain === 'shop.example' ? 'pass' : 'fail',
  auth_dkim: [{ domain, selector, result }],
});
const spfOf = (domain: string): Partial<Row> => ({ auth_spf: { domain, result: 'pass' } });

describe('the class of a row', () => {
  it.each<[string, Row, OwnSending, string, string | null]>([
    ['our address, signed', row(OURS, signed('pass')), declared, 'ours_aligned', null],
    ['our address, SPF aligned', row(OURS, { spf: 'pass' }), declared, 'ours_aligned', null],
    ['our address, signature broken', row(OURS, signed('fail')), declared, 'ours_not_aligned', 'dkim_failed'],
    [
      'our address, only the platform’s signature',
      row(OURS, { ...signed('pass', 'platform.example'), ...spfOf('platform.example') }),
      declared,
      'ours_not_aligned',
      'spf_of_another_domain',
    ],
    ['our address, not signed', row(OURS), declared, 'ours_not_aligned', 'not_signed'],
    ['another address, our signature', row(OTHER, signed('pass')), declared, 'forwarded', 'signature_intact'],
    [
      'another address, signature of the domain without its selector',
      row(OTHER, signed('pass', 'shop.example', '')),
      declared,
      'forwarded',
      'signature_intact',
    ],
    [
      'another address, a list that the receiver knows',
      row(OTHER, { reasons: ['mailing_list'] }),
      declared,
      'forwarded',
      'named_by_receiver',
    ],
    [
      'another address, our signature broken',
      row(OTHER, signed('fail')),
      declared,
      'foreign',
      'signature_broken',
    ],
    [
      'another address, another key',
      row(OTHER, signed('pass', 'shop.example', 'x')),
      declared,
      'foreign',
      null,
    ],
    ['another address', row(OTHER, spfOf('shop.example')), declared, 'foreign', null],
    [
      'by a smarthost, signed',
      row(OTHER, signed('pass')),
      bySmarthost,
      'ours_aligned',
      'address_not_declared',
    ],
    [
      'by a smarthost, only the platform’s signature',
      row(OTHER, signed('pass', 'platform.example')),
      bySmarthost,
      'ours_not_aligned',
      'not_signed',
    ],
  ])('%s', (_, about, sending, found, reason) => {
    expect(classifyDmarcRow(about, KEYS, sending)).toEqual({ class: found, reason });
  });
});
