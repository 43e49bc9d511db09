// `posthorn admin inbound`: what came in lately and what became of it, its octets, another try or the end of what is parked.
import { writeFile } from 'node:fs/promises';
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import type { InboundMail } from '../inbound/inbound.store.js';
import { withAppliance } from './open-appliance.js';
import { withReadStore } from './open-existing.js';

export const INBOUND_STATES = ['waiting', 'done', 'failed'] as const;

export interface InboundQuestion {
  limit: number;
  state?: (typeof INBOUND_STATES)[number];
}

export interface ShownInbound {
  id: number;
  received_at: string;
  kind: InboundMail['kind'];
  /** Without the secret of a signed address. */
  rcpt_to: string;
  mail_from: string;
  client_address: string | null;
  state: InboundMail['state'];
  /** What it turned out to be; null while it waits, `begun` or `begun_alone` while it is worked on. */
  outcome: string | null;
  attempts: number;
  size_bytes: number;
  /** The message that it is about, or became. */
  message_id: string | null;
  detail: Record<string, unknown>;
}

/** The newest first; works beside a running server. */
export function adminInbound(config: Config, { limit, state }: InboundQuestion): Promise<ShownInbound[]> {
  return withReadStore(config, async ({ inbound }) => (await inbound.latest(limit, state)).map(shown));
}

/** Puts a mail that failed back to those that wait; the server finds it within seconds, or at its next start. */
export function adminRetryInbound(config: Config, clock: Clock, id: number): Promise<void> {
  return withAppliance(config, async ({ store }) => {
    if (await store.inbound.retry(id, clock())) return;
    const mail = await store.inbound.byId(id);
    if (mail === null) throw notThere(id);
    const outcome = mail.outcome ?? mail.state;
    throw new Refusal('conflict', `The inbound mail ${id} was dealt with already: ${outcome}.`);
  });
}

/** Forgets a parked mail. Refuses others: they are worked on, or end by their retention. */
export function adminDeleteInbound(config: Config, id: number): Promise<void> {
  return withAppliance(config, async ({ store }) => {
    if (await store.inbound.deleteParked(id)) return;
    const mail = await store.inbound.byId(id);
    if (mail === null) throw notThere(id);
    throw new Refusal('conflict', `The inbound mail ${id} is not parked: ${mail.outcome ?? mail.state}.`);
  });
}

/** Writes it to a new file, as it came; how many octets. Strangers wrote them: a terminal is no place for them. */
export function adminSaveInbound(config: Config, id: number, file: string): Promise<number> {
  return withReadStore(config, async ({ inbound }) => {
    const mail = await inbound.byId(id);
    const raw = mail && (await inbound.raws([mail.raw_id])).get(mail.raw_id);
    if (!raw) throw notThere(id);
    await writeFile(file, raw, { flag: 'wx', mode: 0o600 });
    return raw.length;
  });
}

function notThere(id: number): Refusal {
  return new Refusal('not_found', `There is no inbound mail ${id}.`);
}

function shown(mail: InboundMail & { size_bytes: number }): ShownInbound {
  const detail = recordOf(mail.detail);
  const { message } = detail;
  const { address } = recordOf(mail.client);
  return {
    id: mail.id,
    received_at: new Date(mail.received_at).toISOString(),
    kind: mail.kind,
    rcpt_to: withoutSecret(mail.rcpt_to),
    mail_from: mail.mail_from,
    client_address: typeof address === 'string' ? address : null,
    state: mail.state,
    outcome: mail.outcome,
    attempts: mail.attempts,
    size_bytes: mail.size_bytes,
    message_id: typeof message === 'string' ? message : null,
    detail,
  };
}

/** Written by us. */
function recordOf(json: string | null): Record<string, unknown> {
  return json === null ? {} : (JSON.parse(json) as Record<string, unknown>);
}

/** A whole signed address would let whoever reads the list bounce or answer the message. */
function withoutSecret(address: string): string {
  return address.replace(/^(b-|reply\+|unsubscribe\+)[^@]+/i, '$1…');
}
