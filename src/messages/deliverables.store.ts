// Reads the data for composing and signing many messages in one query. The SQL is written by hand because every delivery runs it.
import type { Selectable } from 'kysely';
import { isWithin } from '../domains/senders/sender.rules.js';
import { addressDomain } from '../lib/mime/index.js';
import {
  readSenderAuthorizations,
  type DomainSender,
  type SenderAuthorization,
} from '../domains/senders/sender-authorization.store.js';
import type { Engine } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import { readRaws, type AttachmentInfo, type Content } from './rows.store.js';
import type { Message } from './messages.tables.js';
import type { SubTenantTable } from '../tenants/tenants.tables.js';

/** Columns of a message that composing, signing and the checks before them read; each costs a delivery some time. */
const MESSAGE_COLUMNS = [
  'id',
  'public_id',
  'environment_id',
  'sub_tenant_id',
  'content_id',
  'type',
  'to_email',
  'to_name',
  'to_key',
  'from_email',
  'from_name',
  'reply_to_email',
  'reply_to_name',
  'reply_to_more',
  'subject',
  'track_opens',
  'track_clicks',
  'require_tls',
  'null_sender',
  'asked_for',
  'from_vendor_api',
  'dsn',
  'campaign_id',
  'sequence_id',
  'topic_id',
  'forward',
  'provider',
  'signed_at',
  'dated_at',
  'scheduled_at',
  'created_at',
] as const satisfies (keyof Message)[];
type DeliveredMessage = Pick<Message, (typeof MESSAGE_COLUMNS)[number]>;

/** All that compose and sign need of one message. */
export interface Deliverable {
  message: DeliveredMessage;
  content: Content;
  attachments: (AttachmentInfo & { content: Uint8Array })[];
  /** The octets of relayed or received mail; null for mail that is composed from its content. */
  raw: Uint8Array | null;
  workspaceId: string;
  unsubscribeBlocks: 'all' | 'marketing';
  tenant:
    | (Pick<
        Selectable<SubTenantTable>,
        | 'sending_domain'
        | 'status'
        | 'return_path_domain'
        | 'return_path_ok'
        | 'inbound_domain'
        | 'inbound_ok'
        | 'tracking_domain'
        | 'tracking_ok'
        | 'deleted_at'
      > & {
        /** In the message's environment. */
        isPaused: boolean;
      })
    | null;
  /** The domain sender of the From address, if the address is not in the sub-tenant's sending domain. */
  sender: DomainSender | null;
  /** The sender that authorizes the From address; null if the sub-tenant's verified domain does. */
  vouching: Pick<SenderAuthorization, 'status' | 'identity'> | null;
}

const SELECT = `SELECT ${MESSAGE_COLUMNS.map((column) => `m.${column}`).join(', ')}, c.rfc_message_id, c.to_list, c.cc_list, c.headers, c.html, c.text, c.raw_id,
  w.id AS workspace_id, o.unsubscribe_blocks,
  t.id AS tenant_id, t.sending_domain, t.status AS tenant_status, t.return_path_ok, t.inbound_ok, t.tracking_ok, t.deleted_at AS tenant_deleted_at,
  t.return_path_domain, t.inbound_domain, t.tracking_domain,
  st.paused_at AS tenant_paused_at,
  EXISTS (SELECT 1 FROM attachments a WHERE a.content_id = m.content_id) AS has_attachments
  FROM messages m
  JOIN contents c ON c.id = m.content_id
  JOIN environments e ON e.id = m.environment_id
  JOIN workspaces w ON w.id = e.workspace_id
  JOIN organizations o ON o.id = w.organization_id
  LEFT JOIN sub_tenants t ON t.id = m.sub_tenant_id
  LEFT JOIN tenant_reputations st ON st.sub_tenant_id = m.sub_tenant_id AND st.environment_id = m.environment_id
  WHERE m.id IN (`;

type JoinedRow = DeliveredMessage &
  Omit<Content, 'id'> & {
    workspace_id: string;
    unsubscribe_blocks: 'all' | 'marketing';
    tenant_id: string | null;
    sending_domain: string;
    tenant_status: SubTenantTable['status'];
    return_path_ok: 0 | 1;
    inbound_ok: 0 | 1;
    tracking_ok: 0 | 1;
    return_path_domain: string | null;
    inbound_domain: string | null;
    tracking_domain: string | null;
    tenant_deleted_at: number | null;
    tenant_paused_at: number | null;
    /** 0 or 1, or a boolean: the engines differ. */
    has_attachments: number | boolean;
  };

/** The messages that still exist, by row id. */
export async function readDeliverables(
  engine: Engine,
  rowIds: readonly number[],
  attachmentsOf: (contentIds: readonly number[]) => Promise<AttachmentInfo[]>,
): Promise<Map<number, Deliverable>> {
  const { marks, values } = inList(rowIds);
  const rows = await rowsAs<JoinedRow>(engine.rows(`${SELECT}${marks})`, values));
  // Mail that is stored as octets includes its files.
  const withFiles = rows
    .filter((row) => row.raw_id === null && Boolean(row.has_attachments))
    .map((row) => row.content_id);
  const attachments = withFiles.length === 0 ? [] : await attachmentsOf([...new Set(withFiles)]);
  const rawIds = rows.flatMap((row) => row.raw_id ?? []);
  const [blobs, raws] = await Promise.all([readBlobs(engine, attachments), readRaws(engine, rawIds)]);
  const vouching = await vouchingOf(engine, rows);
  return new Map(
    rows.map((row) => [
      row.id,
      deliverableOf(row, attachments, { blobs, raws, vouching: vouching.get(row.id) ?? null }),
    ]),
  );
}

/** Returns the sender authorizations of messages whose From is not on their sub-tenant's own verified domain. */
async function vouchingOf(
  engine: Engine,
  rows: readonly JoinedRow[],
): Promise<Map<number, SenderAuthorization>> {
  const others = rows.filter(
    (row) =>
      row.tenant_id === null ||
      row.tenant_status !== 'verified' ||
      !isWithin(addressDomain(row.from_email), row.sending_domain),
  );
  const found = await readSenderAuthorizations(
    engine,
    others.map((row) => ({
      workspaceId: row.workspace_id,
      subTenantId: row.sub_tenant_id,
      fromEmail: row.from_email,
    })),
  );
  return new Map(
    others.flatMap((row, i): [number, SenderAuthorization][] => {
      const vouching = found[i];
      return vouching ? [[row.id, vouching]] : [];
    }),
  );
}

async function readBlobs(
  engine: Engine,
  attachments: readonly AttachmentInfo[],
): Promise<Map<number, Uint8Array>> {
  if (attachments.length === 0) return new Map();
  const { marks, values } = inList([...new Set(attachments.map((attachment) => attachment.blobId))]);
  const rows = await rowsAs<{ id: number; content: Uint8Array }>(
    engine.rows(`SELECT id, content FROM blobs WHERE id IN (${marks})`, values),
  );
  return new Map(rows.map(({ id, content }) => [id, content]));
}

function deliverableOf(
  row: JoinedRow,
  attachments: readonly AttachmentInfo[],
  {
    blobs,
    raws,
    vouching,
  }: {
    blobs: ReadonlyMap<number, Uint8Array>;
    raws: ReadonlyMap<number, Uint8Array>;
    vouching: SenderAuthorization | null;
  },
): Deliverable {
  const { rfc_message_id, to_list, cc_list, headers, html, text, raw_id } = row;
  return {
    message: row,
    content: { id: row.content_id, rfc_message_id, to_list, cc_list, headers, html, text, raw_id },
    attachments: attachments
      .filter((attachment) => attachment.contentId === row.content_id)
      .map((attachment) => ({ ...attachment, content: contentOf(attachment, blobs) })),
    raw: raw_id === null ? null : rawOf(raw_id, raws),
    workspaceId: row.workspace_id,
    unsubscribeBlocks: row.unsubscribe_blocks,
    tenant:
      row.tenant_id === null
        ? null
        : {
            sending_domain: row.sending_domain,
            status: row.tenant_status,
            return_path_domain: row.return_path_domain,
            return_path_ok: row.return_path_ok,
            inbound_domain: row.inbound_domain,
            inbound_ok: row.inbound_ok,
            tracking_domain: row.tracking_domain,
            tracking_ok: row.tracking_ok,
            deleted_at: row.tenant_deleted_at,
            isPaused: row.tenant_paused_at !== null,
          },
    sender: vouching?.domain ?? null,
    vouching: vouching && { status: vouching.status, identity: vouching.identity },
  };
}

function contentOf(attachment: AttachmentInfo, blobs: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const content = blobs.get(attachment.blobId);
  if (!content) throw new Error(`The attachment ${attachment.sha256} has lost its content.`);
  return content;
}

function rawOf(rawId: number, raws: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const raw = raws.get(rawId);
  if (!raw) throw new Error(`The octets ${rawId} of a message are gone.`);
  return raw;
}
