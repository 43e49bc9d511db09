// The program's outbound on real files and sockets: a signing domain, DNS, and messages put in by plan.
import { addressKey, addressDomain, rfcMessageId } from '../../src/lib/mime/index.js';
import { dkimRecordValue } from '../../src/lib/dkim/index.js';
import type { AttemptDetail } from '../../src/messages/attempt.schema.js';
import { readDetail } from '../../src/events/events.store.js';
import type { DsnOptions } from '../../src/lib/dsn/index.js';
import { queueRank } from '../../src/messages/queue-rank.rules.js';
import { newId, systemClock } from '../../src/lib/runtime/index.js';
import { dkimKeyContext, generateDkimKey, sealSecret } from '../../src/lib/secrets/index.js';
import { assembleProgram } from './program.js';
import { layered, tuned } from './tuning.js';
import type { Change } from '../../src/database/change.js';
import { type NewMessage, acceptMessage } from '../../src/messages/accept/accept.store.js';
import { dkimKeys, senders } from '../../src/domains/domains.tables.js';
import { insert } from '../../src/database/rows.js';
import { subTenants } from '../../src/tenants/tenants.tables.js';
import type { messages } from '../../src/messages/messages.tables.js';
import type { TablesOf } from '../../src/database/columns.js';
import type { queue } from '../../src/messages/queue.tables.js';

type Known = TablesOf<typeof messages | typeof queue>;

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
  /** Mail that was relayed: its octets, and what its submitter wants to be told. */
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
  const { outbound, resolver, engine } = program.parts;
  const environments = {
    live: await store.accounts.environmentOf(workspaceId, 'live'),
    test: await store.accounts.environmentOf(workspaceId, 'test'),
  };

  /** A key that signs for mail of that domain; its owner is a sub-tenant, or a sender of the workspace's own. */
  async function planKey(
    ownerId: string,
    domain: string,
    algorithm: 'rsa-sha256' | 'ed25519-sha256' = 'rsa-sha256',
  ): Promise<{ change: Change; host: string; record: string }> {
    const now = systemClock();
    const { privateKeyDer, publicKey } = await generateDkimKey(algorithm);
    const id = newId('key', now);
    const record = dkimRecordValue(publicKey, algorithm);
    const change: Change = insert(dkimKeys, {
      row: {
        id,
        owner_id: ownerId,
        domain,
        selector: 's1',
        algorithm,
        private_key_sealed: sealSecret(keys.masterKey, privateKeyDer, dkimKeyContext(id)),
        record_value: record,
        state: 'active',
        created_at: now,
      },
    });
    return { change, host: `s1._domainkey.${domain}`, record };
  }

  /** A verified sub-tenant whose mail is signed. */
  async function addSubTenant(domain: string): Promise<string> {
    const now = systemClock();
    const id = newId('tnt', now);
    const { change } = await planKey(id, domain);
    await store.commit([
      insert(subTenants, {
        row: {
          id,
          workspace_id: workspaceId,
          name: domain,
          external_id: null,
          sending_domain: domain,
          status: 'verified',
          verified_at: now,
          last_checked_at: now,
          return_path_ok: 0,
          inbound_ok: 0,
          tracking_ok: 0,
          dns_results: null,
          throttle_per_hour: null,
          created_at: now,
          updated_at: now,
          deleted_at: null,
        },
      }),
      change,
    ]);
    return id;
  }

  async function addSenderDomain(domain: string, algorithm: 'rsa-sha256' | 'ed25519-sha256' = 'rsa-sha256') {
    const now = systemClock();
    const senderId = newId('snd', now);
    const { change, host, record } = await planKey(senderId, domain, algorithm);
    await store.commit([
      insert(senders, {
        row: {
          id: senderId,
          workspace_id: workspaceId,
          sub_tenant_id: null,
          kind: 'domain',
          identity: domain,
          name: null,
          status: 'verified',
          is_default: 0,
          confirmation_hash: null,
          confirmation_expires_at: null,
          verified_at: now,
          last_checked_at: now,
          return_path_ok: 0,
          inbound_ok: 0,
          tracking_ok: 0,
          dns_results: null,
          created_at: now,
          updated_at: now,
          deleted_at: null,
        },
      }),
      change,
    ]);
    return { host, record };
  }

  function accepting(draft: Draft): Change {
    const now = systemClock();
    const publicId = newId('msg', now);
    const environment = environments[draft.mode ?? 'live'];
    const from = draft.from ?? 'news@sender.test';
    const type = draft.type ?? 'transactional';
    const message: NewMessage = {
      workspaceId,
      row: {
        public_id: publicId,
        environment_id: environment.environmentId,
        sub_tenant_id: draft.subTenantId ?? null,
        type,
        status: 'queued',
        recipient_role: 'to',
        to_email: draft.to,
        to_name: null,
        to_key: addressKey(draft.to),
        from_email: from,
        from_name: 'Sender',
        reply_to_email: null,
        reply_to_name: null,
        subject: draft.subject ?? 'Hello',
        template_id: null,
        template_version: null,
        priority: 'normal',
        tags: '[]',
        metadata: '{}',
        idempotency_key: null,
        content_hash: 'sha256:0',
        track_opens: 0,
        track_clicks: 0,
        require_tls: 0,
        null_sender: 0,
        asked_for: 0,
        from_vendor_api: 0,
        dsn: draft.relayed ? JSON.stringify(draft.relayed.dsn) : null,
        provider: null,
        provider_message_id: null,
        signed_at: null,
        dated_at: null,
        error: null,
        scheduled_at: null,
        opened_at: null,
        clicked_at: null,
        created_at: draft.createdAt ?? now,
        updated_at: now,
      },
      content: {
        kind: 'new',
        row: {
          rfc_message_id: rfcMessageId(publicId, from),
          to_list: JSON.stringify([{ email: draft.shownTo ?? draft.to, name: null }]),
          cc_list: '[]',
          headers: '[]',
          html: null,
          text: draft.text ?? 'Hello there.\n',
        },
        attachments: [],
        ...(draft.relayed ? { raw: Buffer.from(draft.relayed.raw, 'latin1') } : {}),
      },
      tags: [],
      idempotency: null,
      queue: {
        domain: addressDomain(draft.to),
        rank: queueRank(type, 'normal'),
        dueAt: draft.dueAt ?? now,
        expiresAt: draft.expiresAt ?? now + 172_800_000,
      },
      usageDay: null,
      events: [
        {
          environmentId: environment.environmentId,
          workspaceNumber: environment.workspaceNumber,
          subjectId: publicId,
          event: 'queued',
          actor: 'api',
          occurredAt: now,
        },
      ],
    };
    return acceptMessage({ message });
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
    /** What the attempts' rows say, oldest first, each with its conversation. */
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
    async status(messageId: number): Promise<string> {
      const row = await engine.read
        .$extendTables<Known>()
        .selectFrom('messages')
        .select('status')
        .where('id', '=', messageId)
        .executeTakeFirst();
      return row?.status ?? 'missing';
    },
    /** JSON: why it failed, as it is stored. */
    async error(messageId: number): Promise<string> {
      const row = await engine.read
        .$extendTables<Known>()
        .selectFrom('messages')
        .select('error')
        .where('id', '=', messageId)
        .executeTakeFirst();
      return row?.error ?? '{}';
    },
    /** Why a waiting message is held. */
    async held(messageId: number): Promise<string | null> {
      const row = await engine.read
        .$extendTables<Known>()
        .selectFrom('queue')
        .select('hold_reason')
        .where('message_id', '=', messageId)
        .executeTakeFirst();
      return row?.hold_reason ?? null;
    },
    close: program.close,
  };
}
