// What a submitter hears by SMTP where the API would answer with a refusal. RFC 3463.
import type { Refusal, RefusalCode } from '../contract/refusal.js';
import type { ServerReply } from '../lib/smtp-server/hooks.js';

const PERMANENT = { code: 550, enhanced: '5.7.1' } as const;

/** What passes by itself is 4xx, so that the client's own queue keeps the mail. */
const REPLIES: Partial<Record<RefusalCode, Pick<ServerReply, 'code' | 'enhanced'>>> = {
  quota_exceeded: { code: 452, enhanced: '4.7.1' },
  rate_limited: { code: 451, enhanced: '4.7.1' },
  unavailable: { code: 451, enhanced: '4.3.2' },
  internal_error: { code: 451, enhanced: '4.3.0' },
  validation_error: { code: 550, enhanced: '5.6.0' },
  content_required: { code: 550, enhanced: '5.6.0' },
  idempotency_key_reused: { code: 550, enhanced: '5.5.4' },
  payload_too_large: { code: 552, enhanced: '5.3.4' },
};

/** Where the values stand in a mail. */
const FIELDS: Partial<Record<string, string>> = {
  send_at: 'X-Posthorn-Send-At',
  expires_at: 'X-Posthorn-Expires-At',
};

export function smtpRefusal(refusal: Refusal): ServerReply {
  const { details } = refusal;
  const fields = details?.['fields'];
  const text = Array.isArray(fields)
    ? (fields as { path: string; message: string }[])
        .map(({ path, message }) => `${FIELDS[path] ?? path} ${message}`)
        .join('; ')
    : refusal.message;
  return { ...(REPLIES[refusal.code] ?? PERMANENT), text: text.replace(/[^\x20-\x7e]+/g, '?').slice(0, 400) };
}
