// Sends one mail through the interface of each vendor, as its client would write the request.
import type { Appliance } from './appliance.js';

export const VENDOR_NAMES = ['resend', 'postmark', 'sendgrid', 'mailgun'] as const;
export type VendorName = (typeof VENDOR_NAMES)[number];

export interface VendorMail {
  from: string;
  to: string;
  subject?: string;
  html?: string;
  text?: string;
  replyTo?: string;
  headers?: Record<string, string>;
  attachments?: readonly { filename: string; content: string; contentId?: string }[];
}

export interface VendorAnswer {
  status: number;
  headers: Headers;
  json: Record<string, unknown>;
}

interface Request {
  path: string;
  headers: Record<string, string>;
  body: string | FormData;
}

type Write = (mail: Required<Pick<VendorMail, 'subject'>> & VendorMail, key: string) => Request;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const bearer = (key: string) => ({ ...JSON_TYPE, Authorization: `Bearer ${key}` });
/** JSON omits undefined values. */
const json = (value: object): string => JSON.stringify(value);

const WRITERS: Readonly<Record<VendorName, Write>> = {
  resend: ({ from, to, subject, html, text, replyTo, headers, attachments }, key) => ({
    path: 'resend/emails',
    headers: bearer(key),
    body: json({
      ...{ from, to, subject, html, text, headers },
      reply_to: replyTo,
      attachments: attachments?.map(({ contentId, ...file }) => ({ ...file, content_id: contentId })),
    }),
  }),
  postmark: ({ from, to, subject, html, text, replyTo, headers, attachments }, key) => ({
    path: 'postmark/email',
    headers: { ...JSON_TYPE, 'X-Postmark-Server-Token': key },
    body: json({
      ...{ From: from, To: to, Subject: subject, HtmlBody: html, TextBody: text, ReplyTo: replyTo },
      Headers: headers && Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
      Attachments: attachments?.map(({ filename, content, contentId }) => ({
        ...{ Name: filename, Content: content, ContentType: 'application/pdf', ContentID: contentId },
      })),
    }),
  }),
  sendgrid: ({ from, to, subject, html, text, replyTo, headers, attachments }, key) => ({
    path: 'sendgrid/v3/mail/send',
    headers: bearer(key),
    body: json({
      personalizations: [{ to: [{ email: to }] }],
      ...{ from: { email: from }, subject, headers },
      reply_to: replyTo === undefined ? undefined : { email: replyTo },
      content: [
        ...(text === undefined ? [] : [{ type: 'text/plain', value: text }]),
        ...(html === undefined ? [] : [{ type: 'text/html', value: html }]),
      ],
      attachments: attachments?.map(({ contentId, ...file }) => ({ ...file, content_id: contentId })),
    }),
  }),
  mailgun: ({ from, to, subject, html, text, replyTo, headers = {}, attachments = [] }, key) => {
    const form = new FormData();
    const fields = { from, to, subject, html, text, 'h:Reply-To': replyTo };
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
    for (const [name, value] of Object.entries(headers)) form.append(`h:${name}`, value);
    for (const { filename, content, contentId } of attachments) {
      const file = new Blob([Buffer.from(content, 'base64')], { type: 'application/pdf' });
      form.append(contentId === undefined ? 'attachment' : 'inline', file, contentId ?? filename);
    }
    return {
      path: 'mailgun/v3/shop.example/messages',
      headers: { Authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` },
      body: form,
    };
  },
};

/** Returns the response of the vendor's interface to the mail. */
export async function sendBy(
  { url, keys }: Pick<Appliance, 'url' | 'keys'>,
  vendor: VendorName,
  mail: VendorMail,
): Promise<VendorAnswer> {
  const { path, headers, body } = WRITERS[vendor]({ subject: 'Your order', ...mail }, keys.live_key);
  const response = await fetch(`${url}/compat/${path}`, { method: 'POST', headers, body });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
}
