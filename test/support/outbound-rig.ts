// The program's outbound on real files and sockets: a signing domain, DNS, and messages inserted by plans.
import { addressKey, addressDomain, rfcMessageId } from '../../src/lib/mime/index.js';
import type { AttemptDetail } from '../../src/messages/attempt.schema.js';
import { readDetail } from '../../src/events/events.store.js';
import type { DsnOptions } from '../../src/lib/dsn/index.js';
import { queueRank } from '../../src/messages/queue-rank.rules.js';
import { newId, systemClock } from '../../src/lib/runtime/index.js';
import { eventOf, newMessage } from '../database/contract/builders.js';
import { senderRow, signingKey, subTenantRow } from './domain-rows.js';
import { assembleProgram } from './program.js';
import { layered, tuned } from './tuning.js';
import type { Change } from '../../src/database/change.js';
import { type NewMessage, acceptMessage } from '../../src/messages/accept/accept.store.js';
import { senders } from '../../src/domains/domains.tables.js';
import { insert } from '../../src/database/rows.js';
import { subTenants } from '../../src/tenants/tenants.tables.js';

export interface Draft {
  to: string;
  /** The address in the header, if another than the recipient's. */
  shownTo?: string;
  mode?: 'live' | 'test';
  subTenantId?: string;
  type?: NewMessage['row']['type'];
  from?: string;
  subject?: string;
  text?: string;
  dueAt?: number;
  expiresAt?: number;
  createdAt?: number;
  /** Relayed mail: its bytes, and the delivery reports that its submitter requests. */
  relayed?: { raw: string; dsn: DsnOptions };
}

export type OutboundRig = Awaited<ReturnType<typeof startOutboundRig>>;

/** `env` are MAILKEEL_ settings on top of quick retries and a private MX. The sender domain is sender.test. */
export async function startOutboundRig(env: Record<string, string>) {
  const program = await assembleProgram({
    env: layered(
      {
        MAILKEEL_HOSTNAME: 'mta.sender.test',
        MAILKEEL_BOUNCE_DOMAIN: '',
        MAILKEEL_INBOUND_DOMAIN: '',
        MAILKEEL_ALLOW_PRIVATE_MX: 'true',
        MAILKEEL_DNS_TIMEOUT: '200ms',
        MAILKEEL_RETRY_SCHEDULE: '50ms,50ms,50ms…',
        ...tuned({ holdMs: 50, breakerPausesMs: [50], greylistRetryMs: 50 }),
        MAILKEEL_AMBIGUOUS_HOLD: '100ms',
      },
      env,
    ),
    logLevel: 'error',
  });
  const { store, config, keys, workspaceId } = program;
  const { outbound, resolver } = program.parts;
  const environments = { live: await program.scopeOf('live'), test: await program.scopeOf('test') };

  /** A verified sub-tenant whose mail is signed. */
  async function addSubTenant(domain: string): Promise<string> {
    const now = systemClock();
    const row = subTenantRow(workspaceId, now, { name: domain, sending_domain: domain });
    const { change } = await signingKey(
      { ownerId: row.id, domain, algorithm: 'rsa-sha256' },
      keys.masterKey,
      now,
    );
    await store.commit([insert(subTenants, { row }), change]);
    return row.id;
  }

  async function addSenderDomain(domain: string, algorithm: 'rsa-sha256' | 'ed25519-sha256' = 'rsa-sha256') {
    const now = systemClock();
    const row = senderRow(workspaceId, now, { kind: 'domain', identity: domain });
    const { change, host, record } = await signingKey(
      { ownerId: row.id, domain, algorithm },
      keys.masterKey,
      now,
    );
    await store.commit([insert(senders, { row }), change]);
    return { host, record };
  }

  /** A plan for a message that waits in the queue. */
  function accepting(draft: Draft): Change {
    const now = systemClock();
    const { to, shownTo = to, mode = 'live', type = 'transactional', from = 'news@sender.test' } = draft;
    const scope = { ...environments[mode], subTenantId: draft.subTenantId ?? null };
    const id = newId('msg', now);
    const row = {
      public_id: id,
      type,
      to_key: addressKey(to),
      from_email: from,
      from_name: 'Sender',
      subject: draft.subject ?? 'Hello',
      track_opens: 0 as const,
      dsn: draft.relayed ? JSON.stringify(draft.relayed.dsn) : null,
      created_at: draft.createdAt ?? now,
      updated_at: now,
    };
    const message = newMessage(scope, { to, row });
    const content = {
      rfc_message_id: rfcMessageId(id, from),
      to_list: JSON.stringify([{ email: shownTo, name: null }]),
      cc_list: '[]',
      headers: '[]',
      html: null,
      text: draft.text ?? 'Hello there.\n',
    };
    const raw = draft.relayed ? { raw: Buffer.from(draft.relayed.raw, 'latin1') } : {};
    message.content = { kind: 'new', row: content, attachments: [], ...raw };
    message.queue = {
      domain: addressDomain(to),
      rank: queueRank(type, 'normal'),
      dueAt: draft.dueAt ?? now,
      expiresAt: draft.expiresAt ?? now + 172_800_000,
    };
    message.usageDay = null;
    message.events = [{ ...eventOf(scope, id, 'queued'), occurredAt: now }];
    return acceptMessage({ message });
  }

  async function readText(statement: string, messageId: number): Promise<string | null> {
    const [{ text = null } = {}] = await program.raw(statement, [messageId]);
    return typeof text === 'string' ? text : null;
  }

  return {
    store,
    config,
    keys,
    resolver,
    outbound,
    environments,
    addSenderDomain,
    addSubTenant,
    /** Accepts a message; returns its row id. */
    async send(draft: Draft): Promise<number> {
      const { messageIds, queueIds } = await store.commit([accepting(draft)]);
      outbound.notify(queueIds);
      const [id] = messageIds;
      if (id === undefined) throw new Error('nothing was accepted');
      return id;
    },
    /** The trail's entries of this name, oldest first. */
    async entries(messageId: number, event: string): Promise<Record<string, unknown>[]> {
      const trail = await store.events.auditTrailOfMessage(messageId);
      return trail.flatMap((entry) => (entry.event === event ? [readDetail(entry).metadata ?? {}] : []));
    },
    /** The rows of the attempts, oldest first, each with its transcript. */
    async attempts(messageId: number): Promise<(AttemptDetail & { conversation: string })[]> {
      const { attempts } = await store.attempts.attemptsOf({ id: messageId });
      return attempts.map(({ detail, conversation }) => ({
        ...detail,
        conversation: conversation.join('\n'),
      }));
    },
    async trail(messageId: number): Promise<string[]> {
      return (await store.events.auditTrailOfMessage(messageId)).map(({ event }) => event);
    },
    status: async (messageId: number): Promise<string> =>
      (await readText('SELECT status AS text FROM messages WHERE id = ?', messageId)) ?? 'missing',
    /** JSON: the stored reason of the failure. */
    error: async (messageId: number): Promise<string> =>
      (await readText('SELECT error AS text FROM messages WHERE id = ?', messageId)) ?? '{}',
    /** Why a waiting message is held. */
    held: (messageId: number): Promise<string | null> =>
      readText('SELECT hold_reason AS text FROM queue WHERE message_id = ?', messageId),
    close: program.close,
  };
}
