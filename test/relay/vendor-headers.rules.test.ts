// Tests the control fields of other services: the effect of each, and the refusal of unsupported ones.
import { describe, expect, it } from 'vitest';
import { readRelayHeaders } from '../../src/relay/relay-headers.rules.js';
import { nothingRequested, type Requested } from '../../src/relay/requested.rules.js';

type Given = readonly (readonly [name: string, value: string])[];

const read = (given: Given) => readRelayHeaders(given.map(([name, value]) => ({ name, value })));

describe('a control field of another service', () => {
  it.each<[string, string, Partial<Requested>]>([
    ['Resend-Idempotency-Key', 'welcome-user/1', { idempotencyKey: 'welcome-user/1' }],
    ['X-SMTPAPI', '{"category": "a"}', { tags: ['a'] }],
    ['X-SMTPAPI', '{"category": ["a", "b"], "to": [], "sub": {}}', { tags: ['a', 'b'] }],
    ['X-SMTPAPI', '{"unique_args": {"order": 7}}', { metadata: { order: 7 } }],
    ['X-SMTPAPI', '{"send_at": 1772355600}', { sendAt: '2026-03-01T09:00:00.000Z' }],
    ['X-SMTPAPI', '{"batch_id": "b1"}', { tags: ['batch_id:b1'] }],
    [
      'X-SMTPAPI',
      '{"filters": {"clicktrack": {"settings": {"enable": 0}}, "opentrack": {"settings": {"enable": 1}}, "footer": {"settings": {"enable": 0}}}}',
      { trackClicks: false, trackOpens: true },
    ],
    ['X-PM-Tag', 'welcome, all', { tags: ['welcome, all'] }],
    ['X-PM-Metadata-Order', '7', { metadata: { order: '7' } }],
    ['X-PM-Message-Stream', 'broadcast', { type: 'marketing' }],
    ['X-PM-Message-Stream', 'outbound', { type: 'transactional' }],
    ['X-PM-TrackOpens', 'true', { trackOpens: true }],
    ['X-PM-TrackLinks', 'None', { trackClicks: false }],
    ['X-PM-TrackLinks', 'HtmlAndText', { trackClicks: true }],
    ['X-PM-KeepID', 'true', {}],
    ['X-Mailgun-Tag', 'welcome', { tags: ['welcome'] }],
    ['X-Mailgun-Variables', '{"order": "7"}', { metadata: { order: '7' } }],
    ['X-Mailgun-Deliver-By', 'Sun, 1 Mar 2026 10:00:00 +0100', { sendAt: '2026-03-01T09:00:00.000Z' }],
    ['X-Mailgun-Deliver-By', '1772355600', { sendAt: '2026-03-01T09:00:00.000Z' }],
    ['X-Mailgun-Track', 'no', { trackOpens: false, trackClicks: false }],
    ['X-Mailgun-Track-Clicks', 'htmlonly', { trackClicks: true }],
    ['X-Mailgun-Require-TLS', 'yes', { requireTls: true }],
    ['X-Mailgun-Dkim', 'yes', {}],
    ['X-Mailgun-Drop-Message', 'no', {}],
    ['X-MC-Tags', 'a,b', { tags: ['a', 'b'] }],
    ['X-MC-Metadata', '{"order": 7}', { metadata: { order: 7 } }],
    ['X-MC-SendAt', '2026-03-01 09:00:00', { sendAt: '2026-03-01T09:00:00Z' }],
    ['X-MC-Track', 'opens,clicks_htmlonly', { trackOpens: true, trackClicks: true }],
    ['X-MC-Track', 'clicks', { trackOpens: false, trackClicks: true }],
    ['X-MC-Important', 'true', { priority: 'high' }],
    ['X-MC-Subaccount', 'customer-1', { subTenant: 'customer-1' }],
    ['X-MC-InlineCSS', 'false', {}],
    ['X-SES-MESSAGE-TAGS', 'kind=welcome, plan = gold', { tags: ['kind:welcome', 'plan:gold'] }],
    // Other systems write these.
    ['X-MC-Unique', 'abc', {}],
    ['X-SES-Outgoing', '2026.03.01-1.2.3.4', {}],
  ])('%s: %s is translated', (name, value, wanted) => {
    expect(read([[name, value]])).toEqual({ kind: 'read', values: { ...nothingRequested(), ...wanted } });
    expect(read([[name.toUpperCase(), value]])).toMatchObject({ kind: 'read' });
  });

  it.each<[string, string, string]>([
    ['Resend-Scheduled-At', 'tomorrow', 'is an unknown control header'],
    ['Resend-Idempotency-Key', 'k'.repeat(256), 'more than 255'],
    ['X-SMTPAPI', 'send_at=1', 'is not a JSON object'],
    ['X-SMTPAPI', '{"send_at": "soon"}', 'send_at must be a Unix timestamp'],
    ['X-SMTPAPI', '{"send_each_at": [1]}', 'send_each_at is not supported'],
    ['X-SMTPAPI', '{"to": ["ann@example.com"]}', 'to is not supported: recipients come from the envelope'],
    ['X-SMTPAPI', '{"sub": {"-name-": ["Ann"]}}', 'sub is not supported'],
    ['X-SMTPAPI', '{"asm_group_id": 7}', 'asm_group_id is not supported'],
    ['X-SMTPAPI', '{"sendat": 1}', 'sendat is unknown'],
    ['X-SMTPAPI', '{"__proto__": 1}', '__proto__ is unknown'],
    ['X-SMTPAPI', '{"category": [1]}', 'category must contain only strings'],
    ['X-SMTPAPI', '{"unique_args": [1]}', 'unique_args must be an object'],
    ['X-SMTPAPI', '{"filters": {"bcc": {"settings": {"enable": 1}}}}', 'filters bcc is not supported'],
    ['X-SMTPAPI', '{"filters": {"bcc": null}}', 'filters bcc.settings.enable must be 1 or 0'],
    ['X-PM-Tags', 'a', 'is an unknown control header'],
    ['X-PM-Metadata-', 'a', 'is an unknown control header'],
    ['X-PM-Message-Stream', 'mine', 'must be outbound'],
    ['X-PM-TrackLinks', 'TextOnly', 'links in plain text are not tracked'],
    ['X-PM-KeepID', 'false', 'must be true'],
    ['X-Mailgun-Variables', '[]', 'is not a JSON object'],
    ['X-Mailgun-Recipient-Variables', '{}', 'recipients come from the envelope'],
    ['X-Mailgun-Dkim', 'no', 'all mail is signed'],
    ['X-Mailgun-Drop-Message', 'yes', 'a test key'],
    ['X-Mailgun-Deliver-In', '3h', 'is an unknown control header'],
    ['X-MC-MergeVars', '{"a":1}', 'relayed messages are sent as submitted'],
    ['X-MC-Autotext', 'true', 'relayed messages are sent as submitted'],
    ['X-MC-PreserveRecipients', 'false', 'recipients come from the envelope'],
    ['X-SES-LIST-MANAGEMENT-OPTIONS', 'News', 'use a topic'],
    ['X-MSYS-API', '{}', 'relayed messages are sent as submitted'],
  ])('%s: %s is refused', (name, value, words) => {
    expect(read([[name, value]])).toEqual({
      kind: 'refused',
      problems: [{ path: name, message: expect.stringContaining(words) as string }],
    });
  });

  it('must not contradict another one', () => {
    const later = '{"send_at": 1772355600}';
    expect(
      read([
        ['X-SMTPAPI', later],
        ['X-Service-Send-At', '2026-03-02T10:00:00Z'],
      ]),
    ).toMatchObject({ problems: [{ path: 'X-Service-Send-At', message: 'contradicts another field' }] });
    expect(
      read([
        ['X-PM-Metadata-Order', '7'],
        ['X-Mailgun-Variables', '{"order": "8"}'],
      ]),
    ).toMatchObject({ problems: [{ path: 'X-Mailgun-Variables' }] });
  });

  it('for all tracking yields to those for opens and clicks', () => {
    expect(
      read([
        ['X-Mailgun-Track', 'yes'],
        ['X-Mailgun-Track-Clicks', 'no'],
      ]),
    ).toMatchObject({ values: { trackOpens: true, trackClicks: false } });
  });
});
