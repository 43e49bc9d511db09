// Creates a database with any number of messages and all of their related rows, written directly into the file of a stopped
// program, so that a million take about a minute. The same count creates the same rows, except for their times. Hashes of the
// event chain are not computed, because no read at size uses them.
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { CONSUMER_NAMES } from '../../src/events/consumers.store.js';
import { writeMessage } from './large-folder-messages.js';
import {
  BODY,
  CAMPAIGNS,
  createFiller,
  DAY,
  domainOf,
  HASH,
  type Filler,
  type FolderSize,
  type World,
} from './large-folder-rows.js';

const BATCH = 20_000;
const TYPES = ['transactional', 'marketing', 'sales'] as const;
const LISTS = 12;
const TEMPLATES = 300;

export interface LargeFolder {
  messages: number;
  /** Of the first workspace's live environment: ids for paths, by prefix, and one value of each filter. */
  ids: Record<string, string>;
  /** The middle of the messages' time span. */
  middle: string;
  tenantId: string;
}

/** Adds rows to a bootstrapped folder. The program must not run on it. */
export function fillFolder(
  file: string,
  messages: number,
  { subTenants = 20, days = 200 }: Partial<FolderSize> = {},
): LargeFolder {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -400000');
  database.pragma('foreign_keys = OFF');
  try {
    const filler = createFiller(database, { messages, subTenants, days });
    database.exec('BEGIN');
    const world = writeWorld(filler);
    writeContacts(filler, world);
    database.exec('COMMIT');
    for (let first = 0; first < messages; first += BATCH) {
      database.exec('BEGIN');
      const end = Math.min(first + BATCH, messages);
      for (let n = first; n < end; n += 1) writeMessage(filler, world, n);
      database.exec('COMMIT');
    }
    database.exec('BEGIN');
    writeSums(filler, world);
    database.exec('COMMIT');
    database.pragma('wal_checkpoint(TRUNCATE)');
    return {
      messages,
      ids: world.ids,
      middle: new Date(filler.now - (days / 2) * DAY).toISOString(),
      tenantId: world.tenants[0] ?? '',
    };
  } finally {
    database.close();
  }
}

function writeWorld(filler: Filler): World {
  const { database, insert, newId, now, subTenants } = filler;
  const first = database
    .prepare('SELECT id, number, organization_id FROM workspaces ORDER BY number')
    .get() as {
    id: string;
    number: number;
    organization_id: string;
  };
  const environmentOf = (workspaceId: string, mode: string): number =>
    (
      database
        .prepare('SELECT id FROM environments WHERE workspace_id = ? AND mode = ?')
        .get(workspaceId, mode) as { id: number }
    ).id;
  const made = { created_at: now, updated_at: now };
  const otherId = newId('ws', now);
  insert('workspaces', {
    id: otherId,
    number: first.number + 1,
    organization_id: first.organization_id,
    name: 'Another',
    created_at: now,
  });
  for (const mode of ['live', 'test']) insert('environments', { workspace_id: otherId, mode });
  insert('chains', {
    workspace_number: first.number + 1,
    head_seq: 0,
    head_hash: HASH,
    fanned_out_seq: 0,
  });
  const live = environmentOf(first.id, 'live');
  const environments = {
    live,
    test: environmentOf(first.id, 'test'),
    other: environmentOf(otherId, 'live'),
  };
  const head = database
    .prepare('SELECT head_seq FROM chains WHERE workspace_number = ?')
    .pluck()
    .get(first.number) as number;
  const world: World = {
    environments,
    workspaces: [
      { id: first.id, number: first.number, head },
      { id: otherId, number: first.number + 1, head: 0 },
    ],
    organizationId: first.organization_id,
    ...{ tenants: [], campaigns: [], sequences: [], sequenceNumbers: [], threads: [], endpoints: [] },
    ...{ lists: [], mailQueues: [], contacts: 0, ids: {} },
  };
  for (let n = 0; n < subTenants; n += 1) {
    const id = newId('tnt', filler.atOf(n / subTenants));
    world.tenants.push(id);
    insert('sub_tenants', {
      id,
      workspace_id: first.id,
      name: `Shop ${n}`,
      external_id: `shop-${n}`,
      sending_domain: `shop-${n}.example`,
      status: 'verified',
      return_path_ok: 1,
      ...made,
    });
    insert('senders', {
      id: newId('snd', now),
      workspace_id: first.id,
      sub_tenant_id: id,
      kind: 'domain',
      identity: `shop-${n}.example`,
      status: 'verified',
      is_default: 1,
      return_path_ok: 1,
      ...made,
    });
  }
  writeAudienceFrames(filler, world);
  writeQueues(filler, world);
  return world;
}

function writeAudienceFrames(filler: Filler, world: World): void {
  const { insert, newId, now, atOf } = filler;
  const { live } = world.environments;
  const made = { created_at: now, updated_at: now };
  for (let n = 0; n < LISTS; n += 1) {
    const id = newId('lst', atOf(n / LISTS));
    world.ids['lst'] = id;
    const filter = n % 4 === 3 ? JSON.stringify({ all: [{ field: 'tag', op: 'has', value: 'vip' }] }) : null;
    world.lists.push(
      insert('contact_lists', {
        id,
        name: `List ${n}`,
        double_opt_in: 0,
        filter,
        contacts: 0,
        environment_id: live,
        ...made,
      }),
    );
  }
  for (let n = 0; n < TEMPLATES; n += 1) {
    const id = newId('tpl', atOf(n / TEMPLATES));
    world.ids['tpl'] = id;
    const sub = n % 3 === 0 ? filler.among(world.tenants) : null;
    insert('templates', {
      id,
      sub_tenant_id: sub,
      slug: `template-${n}`,
      name: `Template ${n}`,
      type: filler.among(TYPES),
      version: 1,
      environment_id: live,
      ...made,
    });
    insert('template_versions', {
      template_id: id,
      version: 1,
      subject: `Subject ${n}`,
      html: BODY.repeat(40),
      text: null,
      created_at: now,
    });
  }
  for (let n = 0; n < CAMPAIGNS; n += 1) {
    const id = newId('cmp', atOf(n / CAMPAIGNS));
    world.campaigns.push(id);
    insert('campaigns', {
      id,
      environment_id: live,
      sub_tenant_id: null,
      name: `Campaign ${n}`,
      type: 'marketing',
      list_number: world.lists[0] ?? 1,
      template_id: world.ids['tpl'] ?? '',
      variants: '[]',
      status: n % 5 === 0 ? 'draft' : 'sent',
      ...{ frozen_up_to: 0, total: 0, created: 0, skipped: 0, failed: 0, suppressed: 0 },
      ...made,
    });
    const enrolls = newId('seq', atOf(n / CAMPAIGNS));
    world.sequences.push(enrolls);
    world.sequenceNumbers.push(
      insert('sequences', {
        id: enrolls,
        environment_id: live,
        name: `Sequence ${n}`,
        type: 'marketing',
        trigger_kind: 'manual',
        trigger_value: '',
        steps: '[]',
        exit_on: '[]',
        status: 'paused',
        ...made,
      }),
    );
  }
  world.ids['cmp'] = world.campaigns[1] ?? '';
  world.ids['seq'] = world.sequences[1] ?? '';
  for (let n = 0; n < 4; n += 1) {
    const id = newId('whe', now);
    world.endpoints.push(id);
    insert('webhook_endpoints', {
      id,
      url: `http://127.0.0.1:9/${n}`,
      status: 'disabled',
      disabled_reason: 'manual',
      consecutive_failures: 0,
      secret_sealed: '',
      environment_id: live,
      ...made,
    });
  }
  world.ids['whe'] = world.endpoints[0] ?? '';
}

function writeQueues(filler: Filler, world: World): void {
  for (let n = 0; n < 50; n += 1) {
    world.mailQueues.push(
      filler.insert('queues', {
        environment_id: world.environments.live,
        sub_tenant_key: n % 2 === 0 ? '' : (world.tenants[n % world.tenants.length] ?? ''),
        domain: `held-${n}.example`,
        rank: n % 3,
      }),
    );
  }
}

/** A fifth as many contacts as messages, half of them on the first list, every tenth tagged `vip`. */
function writeContacts(filler: Filler, world: World): void {
  const { insert, newId, messages, chance, atOf, below } = filler;
  world.contacts = Math.max(100, Math.floor(messages / 5));
  const { live } = world.environments;
  for (let n = 0; n < world.contacts; n += 1) {
    const at = atOf(n / world.contacts);
    const id = newId('cnt', at);
    const tags = [...(n % 10 === 0 ? ['vip'] : []), ...(n % 997 === 0 ? ['rare'] : [])];
    const subTenantId = n % 4 === 0 ? filler.among(world.tenants) : null;
    const number = insert('contacts', {
      id,
      environment_id: live,
      sub_tenant_id: subTenantId,
      email: `person-${n}@${domainOf(n)}`,
      email_key: `person-${n}@${domainOf(n)}`,
      name: `Person ${below(5000)} Example`,
      tags: JSON.stringify(tags),
      metadata: JSON.stringify({ plan: n % 2 === 0 ? 'basic' : 'plus' }),
      status: chance() < 0.03 ? 'unsubscribed' : chance() < 0.02 ? 'bounced' : 'active',
      created_at: at,
      updated_at: at,
    });
    for (const tag of tags) insert('contact_tags', { environment_id: live, tag, contact_number: number });
    for (const list of [n % 2 === 0 ? 0 : null, n % 7]) {
      const listNumber = list === null ? undefined : world.lists[list];
      if (listNumber === undefined) continue;
      insert('list_members', {
        list_number: listNumber,
        contact_number: number,
        state: n % 50 === 0 ? 'pending' : 'subscribed',
        joined_at: at,
      });
    }
    if (n % 10 === 0) writeEnrollment(filler, world, { number, at, n });
    world.ids['cnt'] = id;
  }
}

function writeEnrollment(
  filler: Filler,
  world: World,
  { number, at, n }: { number: number; at: number; n: number },
): void {
  const id = filler.newId('enr', at);
  if (n % 400 === 10) world.ids['enr'] = id;
  filler.insert('enrollments', {
    id,
    sequence_number: world.sequenceNumbers[(n / 10) % 4] ?? 1,
    contact_number: number,
    email_key: `person-${n}@${domainOf(n)}`,
    status: n % 30 === 0 ? 'exited' : 'completed',
    step: 'one',
    step_since: at,
    due_at: at,
    steps_taken: 1,
    variables: '{}',
    created_at: at,
    updated_at: at,
  });
}

/** Counters that change with rows, and the positions of the chains' followers. */
function writeSums({ database }: Filler, world: World): void {
  for (const { number, head } of world.workspaces) {
    database
      .prepare('UPDATE chains SET head_seq = ?, fanned_out_seq = ?, head_hash = ? WHERE workspace_number = ?')
      .run(head, head, HASH, number);
  }
  database.exec(`
    INSERT OR REPLACE INTO contact_counts (environment_id, sub_tenant_key, status, contacts)
      SELECT environment_id, COALESCE(sub_tenant_id, ''), status, COUNT(*) FROM contacts GROUP BY 1, 2, 3;
    UPDATE contact_lists SET contacts = (SELECT COUNT(*) FROM list_members m
      WHERE m.list_number = contact_lists.number AND m.state = 'subscribed') WHERE filter IS NULL;
    UPDATE campaigns SET created = (SELECT COUNT(*) FROM campaign_recipients r WHERE r.campaign_id = campaigns.id),
      total = (SELECT COUNT(*) FROM campaign_recipients r WHERE r.campaign_id = campaigns.id);
    INSERT OR REPLACE INTO list_tags (list_number, tag, contacts)
      SELECT m.list_number, t.tag, COUNT(*) FROM list_members m JOIN contact_tags t ON t.contact_number = m.contact_number
      WHERE m.state = 'subscribed' GROUP BY 1, 2;
    INSERT INTO contact_search (contact_search) VALUES ('delete-all');
    INSERT INTO contact_search (rowid, text)
      SELECT number, char(57344 + (environment_id >> 12 & 4095), 57344 + (environment_id & 4095), 63743, 63741, 63742) ||
        email_key || ' ' || char(63741, 63742) || REPLACE(COALESCE(name, ''), ' ', ' ' || char(63741, 63742))
      FROM contacts;`);
  const follow = database.prepare(
    'INSERT OR REPLACE INTO consumers (name, workspace_number, seq) VALUES (?, ?, ?)',
  );
  for (const name of CONSUMER_NAMES) {
    for (const { number, head } of world.workspaces) follow.run(name, number, head);
  }
}
