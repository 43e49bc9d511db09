// Tests the addresses for DMARC and TLS reports, and the records that request the reports.
import { describe, expect, it } from 'vitest';
import {
  isPermissionName,
  permissionRecord,
  withReportAddress,
} from '../../src/domains/report-addresses.rules.js';

const TO = 'dmarc@bounce.platform.example';

describe('a DMARC record', () => {
  it.each([
    ['v=DMARC1; p=none', `v=DMARC1; p=none; rua=mailto:${TO}`],
    ['v=DMARC1; p=reject; ', `v=DMARC1; p=reject; rua=mailto:${TO}`],
    ['v=DMARC1; p=none; rua=mailto:own@shop.example', 'v=DMARC1; p=none; rua=mailto:own@shop.example'],
  ])('%s requests reports to %s', (record, asked) => {
    expect(withReportAddress(record, TO)).toBe(asked);
  });
});

it('a single record permits reports about any domain', () => {
  expect(permissionRecord('Bounce.Platform.Example')).toEqual({
    host: '*._report._dmarc.bounce.platform.example',
    value: 'v=DMARC1',
  });
  expect(
    isPermissionName('shop.example._report._dmarc.bounce.platform.example', 'bounce.platform.example'),
  ).toBe(true);
  expect(isPermissionName('_report._dmarc.bounce.platform.example', 'bounce.platform.example')).toBe(false);
  expect(isPermissionName('shop.example._report._dmarc.other.example', 'bounce.platform.example')).toBe(
    false,
  );
});
