// Tests the draft of a copy for a contact.
import { describe, expect, it } from 'vitest';
import { contactDraft } from '../../src/messages/accept/contact-draft.js';

function draftFor(name: string | null, html: string | null = '<p>x</p>') {
  return contactDraft({
    publicId: 'msg_1',
    type: 'marketing',
    contact: { email: 'Ann@example.com', email_key: 'ann@example.com', name },
    copy: { subject: 'x', html, text: 'x' },
    template: { id: 'tpl_1', version: 1 },
    senders: { from: { email: 'a@b.example', name: null }, replyTo: [] },
    tracked: { opens: true, clicks: true },
    source: { campaignId: 'cmp_1', variant: null },
  });
}

describe('the recipient', () => {
  it.each([
    ['Ann Smith', 'Ann Smith'],
    ['Ann\r\nBcc: eve@example.com', 'Ann Bcc: eve@example.com'],
    ['a\u0000b\u202ec', 'abc'],
    ['  \n ', null],
    ['', null],
    [null, null],
  ])('with the name %j is written as %j', (name, shown) => {
    const { to, recipients } = draftFor(name);
    expect(to).toEqual([{ email: 'Ann@example.com', name: shown }]);
    expect(recipients).toMatchObject([{ key: 'ann@example.com', name: shown, role: 'to' }]);
  });
});

it('tracks nothing without HTML', () => {
  expect(draftFor(null)).toMatchObject({ trackOpens: true, trackClicks: true });
  expect(draftFor(null, null)).toMatchObject({ trackOpens: false, trackClicks: false });
});
