// Generates the messages of a large folder, each with its content, its trail, an attempt, and occasional additional rows.
import { createHash } from 'node:crypto';
import { POSITIONS_PER_WORKSPACE } from '../../src/events/chains.store.js';
import { BODY, CAMPAIGNS, DAY, domainOf, HASH, type Filler, type World } from './large-folder-rows.js';

const STATUSES: readonly [status: string, share: number][] = [
  ['delivered', 0.82],
  ['opened', 0.05],
  ['clicked', 0.02],
  ['bounced', 0.03],
  ['suppressed', 0.02],
  ['received', 0.02],
  ['sent', 0.02],
  ['canceled', 0.01],
  ['failed', 0.005],
  ['queued', 0.004],
  ['complained', 0.001],
];
/** Until the scheduled ones are due, in ms. */
const LATER = 30 * DAY;
const ATTEMPT = JSON.stringify({
  ...{ outcome: 'delivered', phase: 'end_of_data', code: 250, enhanced_code: '2.0.0', category: null },
  ...{
    reply: '250 2.0.0 Ok: queued',
    source: 'default',
    via: 'mta',
    host: 'mx.example',
    address: '192.0.2.1',
  },
  ...{ local_address: null, tls: null, times: null, duration_ms: 120, next_attempt_at: null },
});

function statusOf(part: number): string {
  let sum = 0;
  for (const [status, share] of STATUSES) {
    sum += share;
    if (part < sum) return status;
  }
  return 'delivered';
}

export function writeMessage(filler: Filler, world: World, n: number): void {
  const { insert, newId, chance, atOf, below, messages, subTenants, now } = filler;
  const at = atOf(n / messages);
  const publicId = newId('msg', at);
  const { live, test, other } = world.environments;
  const environmentId = n % 20 === 0 ? test : n % 20 === 1 ? other : live;
  const isLive = environmentId === live;
  const status = statusOf(chance());
  const who = below(world.contacts);
  const to = `person-${who}@${domainOf(who)}`;
  const type = n % 10 < 6 ? 'transactional' : n % 10 < 9 ? 'marketing' : 'sales';
  const subTenantId =
    isLive && n % 4 === 0 ? (world.tenants[below(n % 8 === 0 ? 1 : subTenants)] ?? null) : null;
  const campaign =
    isLive && type === 'marketing' ? (world.campaigns[n % 3 === 0 ? 1 : n % CAMPAIGNS] ?? null) : null;
  const sequence =
    isLive && type === 'sales' ? (world.sequences[n % 2 === 0 ? 1 : n % CAMPAIGNS] ?? null) : null;
  const threadId = status === 'received' && isLive ? threadOf(filler, world, { at, to, subTenantId }) : null;
  const tags = [n % 2 === 0 ? 'order' : 'news', ...(n % 5003 === 2 ? ['seldom'] : [])];
  const contentId = insert('contents', {
    rfc_message_id: `${publicId}@mail.example`,
    to_list: JSON.stringify([{ email: to, name: null }]),
    cc_list: '[]',
    headers: '[]',
    html: BODY,
    text: 'Your parcel is on its way to you.',
  });
  const messageId = insert('messages', {
    public_id: publicId,
    environment_id: environmentId,
    sub_tenant_id: subTenantId,
    content_id: contentId,
    type,
    status,
    recipient_role: 'to',
    to_email: to,
    to_key: to,
    from_email: `news@shop-${n % subTenants}.example`,
    from_name: 'The shop',
    subject: `Order ${n} of ${n % 365} days`,
    template_id: n % 3 === 0 ? (world.ids['tpl'] ?? null) : null,
    priority: 'normal',
    tags: JSON.stringify(tags),
    metadata: JSON.stringify({ order: `o-${n}`, shard: String(n % 100) }),
    content_hash: createHash('sha256').update(publicId).digest('hex'),
    track_opens: 0,
    track_clicks: 0,
    require_tls: 0,
    null_sender: 0,
    asked_for: 0,
    from_vendor_api: 0,
    thread_id: threadId,
    campaign_id: campaign,
    sequence_id: sequence,
    provider: 'mta',
    provider_message_id: `4b${n}`,
    error: ERRORS[status] ?? null,
    created_at: at,
    updated_at: at + 4_000,
    scheduled_at: status === 'queued' ? now + LATER : null,
    in_doubt_at: status === 'sent' && n % 9 === 0 ? at : null,
  });
  for (const tag of tags)
    insert('message_tags', { environment_id: environmentId, tag, message_id: messageId });
  writeTrail(filler, world, { n, at, publicId, messageId, environmentId, status });
  if (campaign !== null) {
    insert('campaign_recipients', {
      campaign_id: campaign,
      contact_number: who + 1,
      email: to,
      email_key: to,
      state: status === 'suppressed' ? 'skipped' : 'created',
      message_id: messageId,
    });
  }
  if (isLive) writeBeside(filler, world, { n, at, publicId, messageId, to, status, subTenantId });
}

const ERRORS: Record<string, string> = {
  bounced: JSON.stringify({
    type: 'hard',
    category: 'invalid_recipient',
    code: 550,
    enhanced_code: '5.1.1',
    message: '550 5.1.1 No such user',
    remote_host: 'mx.example',
    occurred_at: '2026-01-01T00:00:00.000Z',
  }),
  failed: JSON.stringify({
    type: 'failure',
    category: 'routing',
    code: null,
    enhanced_code: null,
    message: 'No route.',
    remote_host: null,
    occurred_at: '2026-01-01T00:00:00.000Z',
  }),
};

/** Every third received mail starts a conversation, and the others continue the last one. */
function threadOf(
  filler: Filler,
  world: World,
  { at, to, subTenantId }: { at: number; to: string; subTenantId: string | null },
): string {
  const last = world.threads.at(-1);
  if (last !== undefined && filler.below(3) > 0) return last;
  const id = filler.newId('thr', at);
  world.threads.push(id);
  world.ids['thr'] = id;
  filler.insert('threads', {
    id,
    environment_id: world.environments.live,
    sub_tenant_id: subTenantId,
    subject: 'About my order',
    subject_key: 'about my order',
    correspondent_email: to,
    correspondent_key: to,
    status: filler.below(4) === 0 ? 'open' : 'closed',
    last_message_at: at,
    created_at: at,
    updated_at: at,
  });
  return id;
}

interface Written {
  n: number;
  at: number;
  publicId: string;
  messageId: number;
  status: string;
}

function writeTrail(filler: Filler, world: World, message: Written & { environmentId: number }): void {
  const { n, at, publicId, messageId, environmentId, status } = message;
  const workspace = world.workspaces[environmentId === world.environments.other ? 1 : 0];
  if (!workspace) return;
  const names = status === 'received' ? ['received'] : ['queued', 'sending', 'sent', status];
  for (const [i, event] of (status === 'sent' || status === 'queued' ? names.slice(0, 3) : names).entries()) {
    workspace.head += 1;
    filler.insert('events', {
      position: workspace.number * POSITIONS_PER_WORKSPACE + workspace.head,
      environment_id: environmentId,
      message_id: messageId,
      subject_id: publicId,
      event,
      actor: 'worker',
      occurred_at: at + i * 1_000,
      detail: i === 2 ? '{"provider":"mta","provider_message_id":"4b1"}' : null,
      salt: i === 2 ? HASH.subarray(0, 16) : null,
      detail_digest: i === 2 ? HASH : null,
      hash: HASH,
    });
  }
  if (status === 'received') return;
  filler.insert('attempts', {
    message_id: messageId,
    number: 1,
    at: at + 2_000,
    session_id: `ssn_${n % 1000}`,
    detail: ATTEMPT,
    conversation: null,
  });
}

function writeBeside(
  filler: Filler,
  world: World,
  message: Written & { to: string; subTenantId: string | null },
): void {
  const { insert, newId, now } = filler;
  const { n, at, publicId, messageId, to, status } = message;
  const environmentId = world.environments.live;
  if (status === 'delivered') world.ids['msg'] = publicId;
  if (status === 'queued') {
    insert('queue', {
      message_id: messageId,
      queue_id: filler.among(world.mailQueues),
      due_at: now + LATER,
      expires_at: now + 2 * LATER,
      attempts: 0,
      ambiguous_attempts: 0,
      hold_reason: null,
    });
  }
  if (status === 'received') {
    insert('received_messages', {
      message_id: messageId,
      envelope: '{}',
      references_list: '[]',
      problems: '[]',
      visible_text: 'Thank you.',
    });
  }
  if (n % 25 === 2) {
    const id = newId('sup', at);
    world.ids['sup'] = id;
    insert('suppressions', {
      id,
      environment_id: environmentId,
      sub_tenant_key: message.subTenantId ?? '',
      email: to,
      email_key: to,
      reason: n % 75 === 2 ? 'manual' : 'bounce',
      message_public_id: publicId,
      created_at: at,
    });
  }
  if (n % 5 === 2) {
    const id = newId('whd', at);
    world.ids['whd'] = id;
    insert('webhook_deliveries', {
      public_id: id,
      endpoint_id: world.endpoints[n % 2] ?? '',
      environment_id: environmentId,
      event: `message.${status}`,
      subject_id: publicId,
      payload: '{"type":"message.delivered"}',
      status: n % 1000 === 2 ? 'failed' : 'succeeded',
      attempts: 1,
      created_at: at,
    });
  }
  if (n % 10 === 3) {
    const id = newId('aud', at);
    insert('audit_entries', {
      id,
      organization_id: world.organizationId,
      workspace_id: world.workspaces[0]?.id ?? '',
      mode: 'live',
      actor_kind: 'api_key',
      actor_id: `key_${'0'.repeat(25)}${n % 7}`,
      action: n % 100 === 3 ? 'deleteContact' : 'updateContact',
      target_id: world.ids['cnt'] ?? null,
      detail: '{}',
      at,
    });
  }
}
