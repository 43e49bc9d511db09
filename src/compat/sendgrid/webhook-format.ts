// Webhooks in SendGrid's format: a list of events, and an ECDSA signature (P-256, SHA-256) of the time and the body. The key
// pair is derived from the endpoint's secret, so it need not be stored.
import { createECDH, createPrivateKey, createPublicKey, hkdfSync, sign, type KeyObject } from 'node:crypto';
import { createLruCache } from '../../lib/runtime/index.js';
import type { WebhookEvent } from '../../contract/names.js';
import type { VendorFormat, MessageEvent } from '../../webhooks/format.rules.js';
import { replyReason, replyStatus } from '../smtp-reply.js';

/** SendGrid's names of events. */
const EVENT_NAMES: Partial<Record<WebhookEvent, string>> = {
  'message.sent': 'processed',
  'message.delivered': 'delivered',
  'message.deferred': 'deferred',
  'message.bounced': 'bounce',
  'message.complained': 'spamreport',
  'message.opened': 'open',
  'message.clicked': 'click',
  'message.failed': 'dropped',
  'message.suppressed': 'dropped',
  'message.unsubscribed': 'unsubscribe',
};

/** Most cached pairs. Deriving a pair takes a millisecond, signing a twentieth of that. */
const MOST_PAIRS = 1_000;
const CURVE = 'prime256v1';
/** The order of the base point of P-256 (FIPS 186-5). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** 128 bits more than the order, so that the remainder is distributed evenly. */
const WIDE_BYTES = 48;
const PURPOSE = 'service event webhook p-256';

export function createSendgridFormat(): VendorFormat {
  const pairs = createLruCache<string, KeyObject>(MOST_PAIRS);
  function privateKeyOf(secret: string): KeyObject {
    const known = pairs.get(secret);
    if (known !== undefined) return known;
    const made = derivePrivateKey(secret);
    pairs.set(secret, made);
    return made;
  }
  return {
    events: Object.keys(EVENT_NAMES) as WebhookEvent[], // the keys of a record over these
    bodyOf: (event) => [objectOf(event)],
    sign({ body, secrets: [secret], timestamp }) {
      const time = String(Math.floor(timestamp));
      const signature = sign('sha256', Buffer.from(time + body), privateKeyOf(secret)).toString('base64');
      return {
        body,
        headers: {
          'X-Twilio-Email-Event-Webhook-Signature': signature,
          'X-Twilio-Email-Event-Webhook-Timestamp': time,
        },
      };
    },
    publicKeyOf: (secret) =>
      createPublicKey(derivePrivateKey(secret)).export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}

function derivePrivateKey(secret: string): KeyObject {
  const wide = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, WIDE_BYTES)).toString('hex');
  const scalar = (BigInt(`0x${wide}`) % (ORDER - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const pair = createECDH(CURVE);
  pair.setPrivateKey(d);
  const point = pair.getPublicKey();
  return createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: d.toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
}

/** The event's own fields override metadata of the same names. */
function objectOf(event: MessageEvent): object {
  return {
    ...event.metadata,
    email: event.to,
    timestamp: Math.floor(event.occurredAt / 1000),
    event: event.listId === null ? EVENT_NAMES[event.name] : 'group_unsubscribe',
    sg_event_id: event.key,
    sg_message_id: event.messageId,
    ...(event.rfcMessageId === null ? {} : { 'smtp-id': `<${event.rfcMessageId}>` }),
    ...(event.tags.length === 0 ? {} : { category: event.tags }),
    ...PARTS[event.name]?.(event),
  };
}

/** Fields specific to an event. */
const PARTS: Partial<Record<WebhookEvent, (event: MessageEvent) => object>> = {
  'message.delivered': ({ reply }) => ({ response: reply.text }),
  'message.deferred': ({ reply }) => ({ response: replyReason(reply), status: replyStatus(reply) }),
  'message.bounced': ({ reply, isHardBounce }) => ({
    reason: replyReason(reply),
    status: replyStatus(reply),
    type: isHardBounce ? 'bounce' : 'blocked',
  }),
  'message.failed': ({ reply }) => ({ reason: reply.text }),
  'message.suppressed': ({ reason }) => ({ reason: DROP_REASONS[reason ?? ''] ?? 'Suppressed Address' }),
  'message.opened': ({ ip, userAgent, isMachine }) => ({
    ip: ip ?? '',
    useragent: userAgent ?? '',
    sg_machine_open: isMachine,
  }),
  'message.clicked': ({ ip, userAgent, url }) => ({
    ip: ip ?? '',
    useragent: userAgent ?? '',
    url: url ?? '',
  }),
  'message.unsubscribed': ({ listId }) => (listId === null ? {} : { asm_group_id: listId }),
};

const DROP_REASONS: Readonly<Record<string, string>> = {
  bounce: 'Bounced Address',
  complaint: 'Spam Reporting Address',
  unsubscribe: 'Unsubscribed Address',
};
