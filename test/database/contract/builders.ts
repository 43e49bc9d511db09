// Builds rows for the contract tests. Every test has its own workspace, so tests are isolated from each other as customers are.
import { OPERATOR_WORKSPACE } from '../../../src/accounts/operator.rules.js';
import { createHash } from 'node:crypto';
import type { TrailEvent } from '../../../src/contract/names.js';
import { CHAIN_START } from '../../../src/events/chain.rules.js';
import { newId } from '../../../src/lib/runtime/index.js';
import type { Scope } from '../../../src/database/scope.js';
import type { Store } from '../../../src/app/store.js';
import { environmentRowId } from '../../../src/accounts/workspace-plan.js';
import type { OpenEngine } from '../../support/open-engines.js';
import type { NewEvent } from '../../../src/events/append.store.js';
import { type NewMessage, acceptMessage } from '../../../src/messages/accept/accept.store.js';
import type { Plan } from '../../../src/database/change.js';
import { environments, organizations, workspaces } from '../../../src/accounts/accounts.tables.js';
import { insert } from '../../../src/database/rows.js';
import { chains } from '../../../src/events/events.tables.js';
import { subTenants } from '../../../src/tenants/tenants.tables.js';
import { subTenantRow } from '../../support/domain-rows.js';

export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
export const DAY = Math.floor(NOW / 86_400_000);
const HOUR = 3_600_000;

/** The fixtures of every test. */
export interface Bench {
  opened: OpenEngine;
  store: Store;
}

export interface World {
  live: Scope;
  test: Scope;
}

/** The first number is that of the operator's own workspace; tests that need it name it. */
let lastNumber = OPERATOR_WORKSPACE;

export async function newWorld(store: Store, number = ++lastNumber): Promise<World> {
  const organizationId = newId('org', NOW);
  const workspaceId = newId('ws', NOW);
  const environment = (mode: 'live' | 'test') =>
    insert(environments, {
      row: { id: environmentRowId(number, mode), workspace_id: workspaceId, mode },
    });
  await store.commit([
    insert(organizations, {
      row: {
        id: organizationId,
        name: 'Example',
        postal_address: null,
        plan: 'unlimited',
        unsubscribe_blocks: 'all',
        track_opens: 1,
        track_clicks: 0,
        created_at: NOW,
        updated_at: NOW,
      },
    }),
    insert(workspaces, {
      row: { id: workspaceId, number, organization_id: organizationId, name: 'Example', created_at: NOW },
    }),
    environment('live'),
    environment('test'),
    insert(chains, {
      row: { workspace_number: number, head_seq: 0, head_hash: CHAIN_START, fanned_out_seq: 0 },
    }),
  ]);
  const scope = (mode: 'live' | 'test'): Scope => ({
    organizationId,
    workspaceId,
    workspaceNumber: number,
    environmentId: environmentRowId(number, mode),
    mode,
    subTenantId: null,
  });
  return { live: scope('live'), test: scope('test') };
}

export interface MessageWish {
  to?: string;
  row?: Partial<NewMessage['row']>;
  domain?: string;
  dueAt?: number;
  tags?: string[];
  idempotencyKey?: string;
  sameContent?: boolean;
  copies?: number;
  attachments?: { filename: string; bytes: Uint8Array }[];
  queued?: boolean;
  text?: string;
  /** Without a text. */
  html?: string;
}

export function newMessage(scope: Scope, wish: MessageWish = {}): NewMessage {
  const publicId = newId('msg', NOW);
  const to = wish.to ?? 'Ann@example.com';
  const domain = wish.domain ?? 'example.com';
  return {
    workspaceId: scope.workspaceId,
    row: {
      public_id: publicId,
      environment_id: scope.environmentId,
      sub_tenant_id: scope.subTenantId,
      type: 'transactional',
      status: 'queued',
      recipient_role: 'to',
      to_email: to,
      to_name: null,
      to_key: to.toLowerCase(),
      from_email: 'shop@example.org',
      from_name: 'Shop',
      reply_to_email: null,
      reply_to_name: null,
      subject: 'Hello',
      template_id: null,
      template_version: null,
      priority: 'normal',
      tags: JSON.stringify(wish.tags ?? []),
      metadata: '{}',
      idempotency_key: wish.idempotencyKey ?? null,
      content_hash: 'sha256:00',
      track_opens: 1,
      track_clicks: 0,
      require_tls: 0,
      null_sender: 0,
      asked_for: 0,
      from_vendor_api: 0,
      scheduled_at: null,
      created_at: NOW,
      updated_at: NOW,
      ...wish.row,
    },
    content: wish.sameContent
      ? { kind: 'same' }
      : {
          kind: 'new',
          row: {
            rfc_message_id: `${publicId}@example.org`,
            to_list: JSON.stringify([{ email: to, name: null }]),
            cc_list: '[]',
            headers: '[]',
            html: wish.html ?? null,
            text: wish.html === undefined ? (wish.text ?? 'Hello') : null,
          },
          attachments: (wish.attachments ?? []).map(({ filename, bytes }) => ({
            filename,
            contentType: 'application/octet-stream',
            cid: null,
            sha256: createHash('sha256').update(bytes).digest('hex'),
            content: bytes,
          })),
          ...(wish.copies === undefined ? {} : { copies: wish.copies }),
        },
    tags: wish.tags ?? [],
    idempotency:
      wish.idempotencyKey === undefined
        ? null
        : {
            subTenantKey: scope.subTenantId ?? '',
            key: wish.idempotencyKey,
            fingerprint: Buffer.alloc(32, 7),
          },
    queue:
      wish.queued === false
        ? null
        : { domain, rank: 1, dueAt: wish.dueAt ?? NOW, expiresAt: NOW + 48 * HOUR },
    usageDay: scope.mode === 'live' ? DAY : null,
    events: [eventOf(scope, publicId, 'queued')],
  };
}

export function eventOf(
  scope: Scope,
  subjectId: string,
  event: TrailEvent,
  detail?: NewEvent['detail'],
): Omit<NewEvent, 'messageId'> {
  return {
    environmentId: scope.environmentId,
    workspaceNumber: scope.workspaceNumber,
    subjectId,
    event,
    actor: 'api',
    occurredAt: NOW,
    ...(detail ? { detail } : {}),
  };
}

/** Accepts messages, each in its own plan, and returns their row ids in the given order. */
export async function accept(store: Store, scope: Scope, wishes: readonly MessageWish[]): Promise<number[]> {
  const results = await Promise.all(
    wishes.map((wish) => store.commit([acceptMessage({ message: newMessage(scope, wish) })])),
  );
  return results.map(onlyId);
}

export function onlyId(committed: { messageIds: number[] }): number {
  const [id] = committed.messageIds;
  if (id === undefined) throw new Error('The plan accepted no message.');
  return id;
}

/** A plan that creates a sub-tenant. */
export function tenantPlan(scope: Scope, id: string): Plan {
  return [
    insert(subTenants, {
      row: subTenantRow(scope.workspaceId, NOW, {
        id,
        name: id,
        external_id: `ext-${id}`,
        sending_domain: `${id.replace('_', '-')}.example`,
      }),
    }),
  ];
}

/** All pages of a list, in order. */
export async function allPages<T>(
  list: (page: { limit: number; after: string | null }) => Promise<{ rows: T[]; next: string | null }>,
  limit = 3,
): Promise<T[]> {
  const rows: T[] = [];
  for (let after: string | null = null; ;) {
    const page = await list({ limit, after });
    rows.push(...page.rows);
    if (page.next === null) return rows;
    if (page.rows.length !== limit) throw new Error('A page that is not the last must be full.');
    after = page.next;
  }
}
