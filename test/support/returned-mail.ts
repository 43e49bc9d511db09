// Builds mail about a delivered message as providers write it: delivery reports, complaints, and their signatures.
import { generateKeyPairSync } from 'node:crypto';
import { dkimRecordValue, signMessage } from '../../src/lib/dkim/index.js';
import type { TestDnsServer } from './dns-server.js';
import { lines } from './raw-mail.js';
import type { SinkMessage } from './smtp-sink.js';

/** The header of a delivered mail, as reports give it back. */
export function headerOf(mail: SinkMessage): string {
  return `Return-Path: <${mail.mailFrom}>\r\n${mail.raw.toString('latin1').split('\r\n\r\n', 1)[0] ?? ''}\r\n`;
}

export interface ReportedFate {
  recipient: string;
  action: string;
  status: string;
  /** The text after `smtp; `. */
  diagnostic?: string;
  /** Additional fields of the recipient's group. */
  fields?: readonly string[];
}

/** A delivery report according to RFC 3464, or RFC 6533 with internationalized addresses. */
export function deliveryReport(
  to: string,
  { recipient, action, status, diagnostic, fields = [] }: ReportedFate,
  { isGlobal = false, original = '' } = {},
): string {
  const type = isGlobal ? 'global-delivery-status' : 'delivery-status';
  return lines(
    'From: Mail Delivery System <MAILER-DAEMON@mx.receiver.example>',
    `To: <${to}>`,
    'Subject: Delivery Status Notification',
    'Date: Sat, 21 Nov 2026 10:00:00 +0000',
    `Message-ID: <report.${action}.${status}.${recipient.replace(/[^a-z0-9]/gi, '.')}@mx.receiver.example>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="b"`,
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'This is the mail system at host mx.receiver.example.',
    '--b',
    `Content-Type: message/${type}`,
    ...(isGlobal ? ['Content-Transfer-Encoding: 8bit'] : []),
    '',
    'Reporting-MTA: dns; mx.receiver.example',
    '',
    `Final-Recipient: ${isGlobal ? 'utf-8' : 'rfc822'}; ${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    ...(diagnostic === undefined ? [] : [`Diagnostic-Code: smtp; ${diagnostic}`]),
    ...fields,
    '',
    ...(original === '' ? [] : ['--b', 'Content-Type: text/rfc822-headers', '', original]),
    '--b--',
  );
}

export interface ReportedComplaint {
  /** The header of the mail complained about, or all of it. */
  original: string;
  from?: string;
  type?: string;
  /** Additional fields of the report. */
  fields?: readonly string[];
}

/** A complaint according to RFC 5965. */
export function feedbackReport(
  to: string,
  { original, from = 'fbl@provider.example', type = 'abuse', fields = [] }: ReportedComplaint,
): string {
  return lines(
    `From: Feedback Loop <${from}>`,
    `To: <${to}>`,
    'Subject: FW: Your order',
    'Date: Sat, 21 Nov 2026 10:00:00 +0000',
    'Message-ID: <complaint@provider.example>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="c"',
    '',
    '--c',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'This is an abuse report for a message from 192.0.2.1.',
    '--c',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: Example-FBL/1.0',
    'Version: 1',
    'Source-IP: 192.0.2.1',
    ...fields,
    '',
    '--c',
    'Content-Type: message/rfc822',
    '',
    original,
    '',
    '--c--',
  );
}

/** Creates a DKIM key for a domain and publishes it; adds signatures to mails. */
export function signerOf(dns: TestDnsServer, domain: string): (raw: string) => string {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  dns.set(`s1._domainkey.${domain}`, 'TXT', [dkimRecordValue(publicKey, 'rsa-sha256')]);
  const signer = { domain, selector: 's1', algorithm: 'rsa-sha256', privateKey } as const;
  return (raw) => {
    const end = raw.indexOf('\r\n\r\n');
    const [field = ''] = signMessage({
      headerLines: raw.slice(0, end).split(/\r\n(?![ \t])/),
      body: Buffer.from(raw.slice(end + 4)),
      signers: [signer],
      signedAt: Math.floor(Date.now() / 1000),
    });
    return `${field}\r\n${raw}`;
  };
}
