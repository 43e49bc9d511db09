// Presents a received message in full: its row, content and origin.
import type { MessageObject } from './message.schema.js';
import type { Mode } from '../contract/names.js';
import { wireOf } from '../contract/codec.js';
import { receivedPart, type AuthenticationWire, type RiskWire } from './received.schema.js';
import type { ForwardRecord } from './inboxes/forwards.tables.js';
import type { ExaminedRisk } from './received.tables.js';
import type { Message } from './messages.store.js';
import type { ReceivedInFull } from './threads/threads.store.js';
import { presentMessage, type ShownMessage } from './message.view.js';
import { iso } from '../contract/time.js';

interface Envelope {
  mail_from: string;
  client_address: string | null;
  tls: string | null;
}

interface ReceivedRows {
  message: Message;
  received: ReceivedInFull;
  shown: ShownMessage;
}

const envelopeOf = (row: ReceivedInFull) => JSON.parse(row.envelope) as Envelope;

/** The context is the time of receipt, epoch ms. */
const receivedWire = wireOf(receivedPart).from<ReceivedInFull, number>({
  message_id: (row) => row.rfc_message_id || null,
  mail_from: (row) => envelopeOf(row).mail_from,
  client_address: (row) => envelopeOf(row).client_address,
  tls: (row) => envelopeOf(row).tls,
  authentication: (row) => (row.authentication === null ? null : authenticationOf(row.authentication)),
  risk: (row) => riskOf(row),
  forwards: ({ forwards }) => (forwards === null ? [] : (JSON.parse(forwards) as ForwardRecord[])),
  received_at: (_row, at) => iso(at),
});

export function presentReceivedMessage(
  { message, received, shown }: ReceivedRows,
  mode: Mode,
): MessageObject {
  return {
    ...presentMessage(message, shown, mode),
    received: receivedWire(received, message.created_at),
  };
}

function riskOf({ risk, authentication }: ReceivedInFull): RiskWire | null {
  if (risk === null) return null;
  const found = JSON.parse(risk) as ExaminedRisk; // written by `planReceived`
  const checked = authentication === null ? null : authenticationOf(authentication);
  const signatures = checked?.dkim.map(({ result }) => result) ?? [];
  const signed = signatures.includes('pass') ? 'pass' : (signatures[0] ?? 'none');
  return {
    ...found,
    spf: checked?.spf.result ?? null,
    dkim: checked === null ? null : signed,
    dmarc: checked?.dmarc.result ?? null,
  };
}

/** The part of the stored result that belongs to the API. */
function authenticationOf(json: string): AuthenticationWire {
  const { spf, dkim, dmarc, arc } = JSON.parse(json) as AuthenticationWire;
  return {
    spf: { result: spf.result, domain: spf.domain },
    dkim: dkim.map(({ result, domain, selector, aligned }) => ({ result, domain, selector, aligned })),
    dmarc: { result: dmarc.result, policy: dmarc.policy, domain: dmarc.domain },
    arc: { result: arc.result },
  };
}
