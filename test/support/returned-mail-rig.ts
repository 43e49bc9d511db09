// The appliance with a sink that keeps what was delivered, for mail that comes back about it: posts it to the listener
// and waits until it was worked on.
import { generateKeyPairSync } from 'node:crypto';
import { dkimRecordValue, signMessage } from '../../src/lib/dkim/index.js';
import type { TestDnsServer } from './dns-server.js';
import { startMailRig, type MailRigOptions } from './mail-rig.js';
import { postMail } from './post-mail.js';
import { startSmtpSink, type SinkMessage, type SmtpSink, type SmtpSinkOptions } from './smtp-sink.js';
import { waitFor } from './wait.js';

/** What became of a mail, as the spool has it. */
export interface CameBack {
  id: number;
  kind: string;
  state: string;
  outcome: string | null;
  detail: Record<string, unknown>;
}

export interface Delivered {
  id: string;
  mail: SinkMessage;
}

export type ReturnedMailRig = Awaited<ReturnType<typeof startReturnedMailRig>>;

export interface ReturnedMailOptions extends Omit<MailRigOptions, 'mxPort'> {
  sink?: Partial<SmtpSinkOptions>;
  /** Settings that need to know where the sink listens. */
  envOf?: (sink: SmtpSink) => Record<string, string>;
}

export async function startReturnedMailRig({
  sink: sinkOptions,
  envOf,
  ...options
}: ReturnedMailOptions = {}) {
  const sink = await startSmtpSink({ keep: true, ...sinkOptions });
  const rig = await startMailRig({
    ...options,
    mxPort: sink.port,
    env: { ...options.env, ...envOf?.(sink) },
  });
  const { query } = rig.appliance;
  const port = (): number => rig.appliance.mailPort('Inbound');

  /** What the sink got for the mailbox of this name. */
  const mailTo = (to: string): SinkMessage | undefined =>
    sink.messages.findLast(({ rcptTo }) => rcptTo[0]?.startsWith(`${to}@`));

  /** Sent, and in the sink. */
  async function send(
    to: string,
    more: Record<string, unknown> = {},
    status = 'delivered',
  ): Promise<Delivered> {
    const before = sink.messages.filter(({ rcptTo }) => rcptTo[0]?.startsWith(`${to}@`)).length;
    const id = await rig.send(to, more);
    await rig.reached(id, status);
    const mails = sink.messages.filter(({ rcptTo }) => rcptTo[0]?.startsWith(`${to}@`));
    const mail = mails[before];
    if (mail === undefined) throw new Error(`the sink has no new mail for ${to}`);
    return { id, mail };
  }

  /** Posts it, and waits until it was worked on. */
  async function comesBack(raw: string | Buffer, to: string, from = ''): Promise<CameBack> {
    const last = await newest();
    const posted = await postMail({ port: port(), from, to, raw });
    if (posted.code !== 250) throw new Error(`not taken: ${posted.code} ${posted.text}`);
    return settled(to, last);
  }

  async function newest(): Promise<number> {
    const [row] = await query('SELECT MAX(id) AS id FROM inbound_messages');
    return Number(row?.['id']);
  }

  /** The first mail to an address after a row of the spool, once it was worked on. */
  async function settled(to: string, after = 0): Promise<CameBack> {
    const [row] = await waitFor(
      `mail to ${to} to be worked on`,
      () =>
        query(
          `SELECT id, kind, state, outcome, detail FROM inbound_messages
           WHERE lower(rcpt_to) = lower(?) AND id > ? ORDER BY id LIMIT 1`,
          ...[to, after],
        ),
      ([found]) => found !== undefined && found['state'] !== 'waiting',
    );
    const came = row as unknown as Omit<CameBack, 'detail'> & { detail: string | null };
    return { ...came, detail: JSON.parse(came.detail ?? '{}') as Record<string, unknown> };
  }

  async function suppression(email: string): Promise<Record<string, unknown>> {
    const path = `/v1/suppressions/check?email=${encodeURIComponent(email)}&sub_tenant_id=${rig.tenantId}`;
    return (await rig.appliance.api('GET', path)).json as Record<string, unknown>;
  }

  return {
    ...rig,
    /** Sends without waiting. */
    submit: rig.send,
    sink,
    port,
    mailTo,
    send,
    comesBack,
    newest,
    settled,
    suppression,
    async close(): Promise<void> {
      await rig.close();
      await sink.close();
    },
  };
}

/** A header field of a delivered mail, unfolded; '' when it has none. */
export function fieldOf(mail: SinkMessage, name: string): string {
  const header = mail.raw.toString('latin1').split('\r\n\r\n', 1)[0] ?? '';
  const value = new RegExp(`^${name}: *(.*(?:\r\n[ \t].*)*)$`, 'im').exec(header)?.[1];
  return value?.replace(/\r\n(?=[ \t])/g, '') ?? '';
}

/** The header of a delivered mail, as reports give it back. */
export function headerOf(mail: SinkMessage): string {
  return `Return-Path: <${mail.mailFrom}>\r\n${mail.raw.toString('latin1').split('\r\n\r\n', 1)[0] ?? ''}\r\n`;
}

const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n`;

export interface ReportedFate {
  recipient: string;
  action: string;
  status: string;
  /** Behind `smtp; `. */
  diagnostic?: string;
  /** More fields of the recipient's group. */
  fields?: readonly string[];
}

/** A delivery report as RFC 3464 has it, or with internationalized addresses as RFC 6533 has it. */
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
  /** More fields of the report. */
  fields?: readonly string[];
}

/** A complaint as RFC 5965 has it. */
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

/** Makes a DKIM key for a domain and publishes it; puts signatures on top of mails. */
export function signerOf(dns: TestDnsServer, domain: string): (raw: string) => string {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  dns.set(`s1._domainkey.${domain}`, 'TXT', [dkimRecordValue(publicKey, 'rsa-sha256')]);
  const signer = { domain, selector: 's1', algorithm: 'rsa-sha256', privateKey } as const;
  return (raw) => {
    const end = raw.indexOf('\r\n\r\n');
    const [field = ''] = signMessage({
      headerLines: raw.slice(0, end).split(/\r\n(?![ \t])/),
      body: Buffer.from(raw.slice(end + 4), 'latin1'),
      signers: [signer],
      signedAt: Math.floor(Date.now() / 1000),
    });
    return `${field}\r\n${raw}`;
  };
}
