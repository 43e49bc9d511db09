// Generates the mail of the benchmark: numbered recipients at 50 domains, 10 KB of text and HTML.

export const DOMAINS = 50;
export const SENDER_DOMAIN = 'sender.bench.test';
export const PLATFORM_DOMAIN = 'platform.bench.test';
const DIGITS = 8;
const CONTENT_BYTES = 10_240;
const TEXT_SHARE = 0.2;

export function domainName(index: number): string {
  return `d${String(index % DOMAINS).padStart(2, '0')}.bench.test`;
}

/** Every domain has its own MX name and its own loopback address. */
export function mxName(index: number): string {
  return `mx.${domainName(index)}`;
}

export function mxAddress(index: number): string {
  return `127.0.1.${index + 1}`;
}

export function recipient(index: number): string {
  return `r${number(index)}@${domainName(index)}`;
}

/** The number in an address created by `recipient`, or -1. */
export function recipientIndex(address: string): number {
  return address.startsWith('r') ? Number(address.slice(1, 1 + DIGITS)) : -1;
}

function number(index: number): string {
  return String(index).padStart(DIGITS, '0');
}

function paragraphs(sizeBytes: number, open: string, close: string): string {
  const sentence = 'Your order has left our warehouse and should reach you within two working days. ';
  const paragraph = `${open}${sentence.repeat(3)}${close}\n`;
  return paragraph.repeat(Math.ceil(sizeBytes / paragraph.length)).slice(0, sizeBytes - 1) + '\n';
}

export const TEXT = paragraphs(CONTENT_BYTES * TEXT_SHARE, '', '\n');
export const HTML = paragraphs(CONTENT_BYTES * (1 - TEXT_SHARE), '<p style="margin:0 0 12px">', '</p>');

export interface Template {
  bytes: Buffer;
  /** Writes message `index` into `bytes`, which keeps its length. */
  fill(bytes: Buffer, index: number): void;
}

/** Position at which `fill` writes the number of the message, including in `extra`. */
export const NUMBER_SLOT = '#'.repeat(DIGITS);
const DOMAIN_SLOT = 'd##.bench.test';

function template(source: string): Template {
  const bytes = Buffer.from(source);
  const numbers = placesOf(bytes, NUMBER_SLOT);
  const domains = placesOf(bytes, DOMAIN_SLOT);
  return {
    bytes,
    fill(target, index) {
      const digits = number(index);
      for (const at of numbers) target.write(digits, at, 'latin1');
      const domain = domainName(index);
      for (const at of domains) target.write(domain, at, 'latin1');
    },
  };
}

function placesOf(bytes: Buffer, slot: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(slot); at !== -1; at = bytes.indexOf(slot, at + 1)) places.push(at);
  return places;
}

/** A whole HTTP request: POST /v1/messages with a unique idempotency key for each index. */
export function postTemplate(target: {
  host: string;
  key: string;
  extra?: Record<string, unknown>;
}): Template {
  const body = JSON.stringify({
    to: `r${NUMBER_SLOT}@${DOMAIN_SLOT}`,
    from: `Shop <orders@${SENDER_DOMAIN}>`,
    subject: `Your order ${NUMBER_SLOT} has shipped`,
    text: TEXT,
    html: HTML,
    idempotency_key: `order-${NUMBER_SLOT}`,
    track_opens: false,
    track_clicks: false,
    ...target.extra,
  });
  const head = [
    'POST /v1/messages HTTP/1.1',
    `Host: ${target.host}`,
    `Authorization: Bearer ${target.key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    '',
  ];
  return template(head.join('\r\n') + body);
}

/** The same content as a finished message, for SMTP peers. */
export function mimeTemplate(): Template {
  const boundary = 'bench-boundary';
  const part = (type: string, content: string): string =>
    `--${boundary}\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${content.replaceAll('\n', '\r\n')}`;
  const head = [
    `From: Shop <orders@${SENDER_DOMAIN}>`,
    `To: r${NUMBER_SLOT}@${DOMAIN_SLOT}`,
    `Subject: Your order ${NUMBER_SLOT} has shipped`,
    `Message-ID: <order-${NUMBER_SLOT}@${SENDER_DOMAIN}>`,
    'Date: Fri, 02 Jan 2026 03:04:05 +0000',
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    '',
  ];
  return template(
    `${head.join('\r\n')}${part('plain', TEXT)}\r\n${part('html', HTML)}\r\n--${boundary}--\r\n`,
  );
}

const LINE = 'mailkeel '.repeat(8).trimEnd();

function linesOf(sizeBytes: number, prefix = ''): string {
  const line = `${prefix}${LINE}\r\n`;
  return line.repeat(Math.ceil(sizeBytes / line.length));
}

/** A bounce as Postfix writes it, with Mailkeel's message attached: 10 KB. */
export function bounceTemplate(): Template {
  const host = `mx.${DOMAIN_SLOT}`;
  const to = `r${NUMBER_SLOT}@${DOMAIN_SLOT}`;
  const part = (type: string, lines: string[]): string =>
    [`--report`, `Content-Type: ${type}`, '', ...lines, ''].join('\r\n');
  const head = [
    `Received: by ${host} (Postfix) id ${NUMBER_SLOT}; Fri, 02 Jan 2026 03:04:05 +0000`,
    'Date: Fri, 02 Jan 2026 03:04:05 +0000',
    `From: MAILER-DAEMON@${host} (Mail Delivery System)`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="report"',
    `Message-ID: <${NUMBER_SLOT}@${host}>`,
    '',
    '',
  ];
  const reply = '550 5.1.1 User unknown in virtual mailbox table';
  return template(
    [
      head.join('\r\n'),
      part('text/plain', ["I'm sorry to have to inform you that your message could not be delivered.", '']),
      part('message/delivery-status', [
        `Reporting-MTA: dns; ${host}`,
        'Arrival-Date: Fri, 02 Jan 2026 03:04:04 +0000',
        '',
        `Final-Recipient: rfc822; ${to}`,
        `Original-Recipient: rfc822;${to}`,
        'Action: failed',
        'Status: 5.1.1',
        `Remote-MTA: dns; ${host}`,
        `Diagnostic-Code: smtp; ${reply}`,
        '',
      ]),
      part('message/rfc822', [
        `From: Shop <orders@${SENDER_DOMAIN}>`,
        `To: ${to}`,
        `Subject: Your order ${NUMBER_SLOT} has shipped`,
        '',
        linesOf(CONTENT_BYTES * 0.85),
      ]),
      '--report--\r\n',
    ].join(''),
  );
}

/** A person's reply in text and HTML with Mailkeel's message quoted below: 10 KB. */
export function replyTemplate(): Template {
  const head = [
    `From: Customer <r${NUMBER_SLOT}@${DOMAIN_SLOT}>`,
    `To: Shop <orders@${SENDER_DOMAIN}>`,
    `Subject: Re: Your order ${NUMBER_SLOT} has shipped`,
    `Message-ID: <answer-${NUMBER_SLOT}@${DOMAIN_SLOT}>`,
    `Date: Fri, 02 Jan 2026 03:04:05 +0000`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="answer"',
    '',
    '',
  ];
  const attribution = `On Fri, 2 Jan 2026 at 03:00, Shop <orders@${SENDER_DOMAIN}> wrote:`;
  const text = [
    '--answer',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Thank you, it came today.',
    '',
    attribution,
    '',
    linesOf(CONTENT_BYTES * 0.4, '> '),
  ];
  const html = [
    '--answer',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<div>Thank you, it came today.</div><div class="gmail_quote"><div>${attribution}</div><blockquote>`,
    linesOf(CONTENT_BYTES * 0.45, '<p>'),
    '</blockquote></div>',
    '--answer--',
    '',
  ];
  return template([head.join('\r\n'), text.join('\r\n'), html.join('\r\n')].join(''));
}
