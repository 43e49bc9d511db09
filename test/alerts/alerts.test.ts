// Tests alerts from a problem to their subscribers: two nodes on one store, mail in the queue, and requests to a receiver.
import { routeShares } from '../../src/outbound/outbound.tables.js';
import { firstShare } from '../../src/outbound/route/share.rules.js';
import type { AlertContext } from '../../src/alerts/context.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { Sender } from '../../src/alerts/send.js';
import { announceApprovals } from '../../src/alerts/approval-alerts.js';
import { Watch } from '../../src/alerts/watch.js';
import { HOST_SETTLE_MS, SETTLE_MS } from '../../src/alerts/incidents.rules.js';
import { alertSecretContext } from '../../src/alerts/send.js';
import { type AlertSettings, alertSettings } from '../../src/alerts/alerts.tables.js';
import { planPerson } from '../../src/accounts/people/person.js';
import type { Role } from '../../src/contract/names.js';
import { createPoster } from '../../src/lib/http/index.js';
import { sealSecret } from '../../src/lib/secrets/index.js';
import { createSystemMail } from '../../src/messages/system-mail/system-mail.js';
import { systemEnvironment } from '../../src/messages/system-mail/system-workspace.js';
import { createStore } from '../../src/app/store.js';
import { verifyWebhook } from '../../src/webhooks/signature.rules.js';
import { fixedClock } from '../support/fixed-clock.js';
import { startHttpReceiver } from '../support/http-receiver.js';
import { engineKinds } from '../support/open-engines.js';
import { PLATFORM_DOMAIN, readyToMail } from '../support/people-rig.js';
import { MASTER_KEY } from '../support/program.js';
import { accept, newWorld } from '../database/contract/builders.js';
import { insert } from '../../src/database/rows.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SECRET = 'whsec_c2VjcmV0';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

describe.each(engineKinds())('alerts on $name', (kind) => {
  async function start({ mails = true } = {}) {
    const opened = await kind.openMigrated();
    const store = createStore(opened.engine, { maxGroup: 50 });
    closings.push(async () => {
      await store.drain();
      await opened.close();
    });
    const clock = fixedClock();
    const operator = await newWorld(store, 1);
    const customer = await newWorld(store, 2);
    if (mails) await readyToMail(store, clock.now);
    const poster = createPoster({ allowPrivate: true, timeoutMs: 5_000 });
    closings.push(() => poster.close());
    let hosts = ['mx1', 'mx2'];
    const resultOf = (name: 'ptr' | 'disk_space', status: 'fail' | 'pass') => ({
      ...{ name, subject: '192.0.2.1', status, observed: 'none', remedy: null },
    });
    // The hourly checks found enough space.
    let results: AlertContext['checks'] = () => ({
      results: [resultOf('disk_space', 'pass')],
    });
    let disk = resultOf('disk_space', 'pass');
    const node = (host: string, backupSchedule: string | null = null) => {
      const watch = new Watch({
        ...{ store, host, clock: clock.now },
        checks: () => results(),
        checkDisk: () => Promise.resolve(disk),
        backupSchedule,
        replica: () => null,
        livingHosts: () => hosts,
      });
      const send = new Sender(
        {
          ...{ store, masterKey: MASTER_KEY, clock: clock.now, log: createLog('silent') },
          systemMail: createSystemMail({ store, platformDomain: mails ? PLATFORM_DOMAIN : null }),
          config: { publicUrl: 'https://mail.example.test' },
          wakeUps: { queue: () => undefined, events: () => undefined },
        },
        poster,
      );
      return {
        watch,
        send,
        async minute(): Promise<void> {
          await watch.watchHost();
          await watch.watchRows();
          await watch.announceAll();
          await send.sendDue();
        },
      };
    };

    async function person(
      email: string,
      role: Role,
      chosen: Partial<AlertSettings>,
      world = operator,
    ): Promise<string> {
      const { organizationId } = world.live;
      const { userId, plan } = planPerson(
        { email, name: null, passwordHash: '-', organizationId, role },
        clock.now(),
      );
      const row: AlertSettings = {
        ...{ user_id: userId, mail_alerts: '[]', webhook_alerts: '[]', webhook_url: null },
        ...{ webhook_format: 'event', quiet_from: null, quiet_to: null, time_zone: null },
        webhook_secret_sealed: sealSecret(MASTER_KEY, Buffer.from(SECRET), alertSecretContext(userId)),
        ...{ urgent_passes: 0, created_at: clock.now(), updated_at: clock.now() },
        ...chosen,
      };
      await store.commit([...plan, insert(alertSettings, { row })]);
      return userId;
    }

    async function mailed(): Promise<{ to: string; subject: string }[]> {
      const scope = { ...(await systemEnvironment(store, clock.now())), subTenantId: null };
      const { rows } = await store.messages.messages(scope, { limit: 100, after: null }, {});
      return rows.map((row) => ({ to: row.to_email, subject: row.subject })).reverse();
    }

    const endpoint = async (id: string, reason: string | null, world = customer): Promise<void> => {
      const { environmentId } = world.live;
      await opened.raw(
        `INSERT INTO webhook_endpoints (id, environment_id, url, status, disabled_reason, consecutive_failures, secret_sealed, created_at,
         updated_at) VALUES ('${id}', ${environmentId}, 'https://hooks.example/secret-path', 'disabled',
         ${reason === null ? 'NULL' : `'${reason}'`}, 10, 'x', 1, 1)`,
      );
    };
    return {
      ...{
        store,
        clock,
        operator,
        customer,
        node,
        person,
        mailed,
        endpoint,
        raw: (statement: string) => opened.raw(statement),
      },
      failCheck(status: 'fail' | 'pass') {
        const result = resultOf('ptr', status);
        results = () => ({ results: [result] });
      },
      fillDisk: () => (disk = resultOf('disk_space', 'fail')),
      living: (names: string[]) => (hosts = names),
    };
  }

  it('notify each person once of an incident and once of its end, with any number of nodes and restarts', async () => {
    const rig = await start();
    await rig.person('ann@example.com', 'owner', { mail_alerts: '["host_check_failed"]' });
    await rig.person('bob@example.com', 'viewer', { mail_alerts: '["host_check_failed"]' });
    await rig.person('cat@example.com', 'owner', { mail_alerts: '["host_check_failed"]' }, rig.customer);
    const [one, other] = [rig.node('mx1'), rig.node('mx1')];
    rig.failCheck('fail');
    for (let i = 0; i < 3; i += 1) {
      await Promise.all([one.minute(), other.minute()]);
      rig.clock.advance(MINUTE);
    }
    // Bob only looks on, and Cat is a customer.
    const opened = { to: 'ann@example.com', subject: 'Host check failed: ptr (192.0.2.1)' };
    expect(await rig.mailed()).toEqual([opened]);

    rig.failCheck('pass');
    await one.minute();
    rig.clock.advance(HOST_SETTLE_MS);
    const restarted = rig.node('mx1');
    await Promise.all([restarted.minute(), other.minute()]);
    await restarted.minute();
    expect(await rig.mailed()).toEqual([opened, { ...opened, subject: `Resolved: ${opened.subject}` }]);
  });

  it('end when a node is removed, without saying that its problem is resolved', async () => {
    const rig = await start();
    await rig.person('ann@example.com', 'owner', { mail_alerts: '["host_check_failed"]' });
    rig.failCheck('fail');
    rig.living(['mx1', 'mx2']);
    await rig.node('mx2').minute();
    rig.living(['mx1']);
    rig.failCheck('pass');
    const left = rig.node('mx1');
    await left.minute();
    rig.clock.advance(HOST_SETTLE_MS);
    await left.minute();
    await left.minute();
    expect(await rig.mailed()).toHaveLength(1);
    expect(
      await rig.raw(`SELECT id FROM alert_incidents WHERE closed_at IS NULL AND source <> 'store'`),
    ).toEqual([]);
  });

  it('are sent once for a host check that fails every other hour', async () => {
    const rig = await start();
    await rig.person('ann@example.com', 'owner', { mail_alerts: '["host_check_failed"]' });
    const node = rig.node('mx1');
    for (const status of ['fail', 'pass', 'fail', 'pass', 'fail', 'pass'] as const) {
      rig.failCheck(status);
      for (let minutes = 0; minutes < 60; minutes += 5) {
        await node.minute();
        rig.clock.advance(5 * MINUTE);
      }
    }
    expect(await rig.mailed()).toHaveLength(1);
  });

  it('do not end because an organization has more problems than are read', async () => {
    const rig = await start();
    await rig.person('ann@example.com', 'owner', { mail_alerts: '["webhook_disabled"]' });
    await rig.endpoint('whe_ann', 'Gone.', rig.operator);
    const node = rig.node('mx1');
    await node.minute();
    const add = (name: string, world: typeof rig.operator, updatedAt: number) =>
      rig.raw(
        `INSERT INTO webhook_endpoints (id, environment_id, url, status, disabled_reason, consecutive_failures, secret_sealed,
         created_at, updated_at) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
         SELECT '${name}' || i, ${world.live.environmentId}, 'https://hooks.example/', 'disabled', 'Gone.', 10, 'x', 1, ${updatedAt}
         FROM n`,
      );
    // First another organization's endpoints, and then those of the same organization.
    for (const world of [rig.customer, rig.operator]) {
      await add(`whe_${world.live.environmentId}_`, world, 2);
      for (let i = 0; i < 3; i += 1) {
        await node.minute();
        rig.clock.advance(SETTLE_MS);
      }
    }
    expect(await rig.raw('SELECT id FROM alert_incidents WHERE closed_at IS NOT NULL')).toEqual([]);
    expect(await rig.raw(`SELECT id FROM alert_incidents WHERE alert = 'webhook_disabled'`)).toHaveLength(
      1_001,
    );
  });

  it('do not wait for notices to others that cannot be sent yet', async () => {
    const rig = await start();
    const quiet = { quiet_from: '22:00', quiet_to: '06:00', time_zone: 'UTC', urgent_passes: 1 } as const;
    const bob = await rig.person('bob@example.com', 'owner', { mail_alerts: '["disk_filling"]', ...quiet });
    await rig.person('ann@example.com', 'owner', { mail_alerts: '["disk_filling"]' });
    await rig.raw(
      `INSERT INTO alert_incidents (id, source, alert, subject, organization_id, title, detail, path, is_urgent, opened_at, announced)
       VALUES ('inc_0', 'store', 'webhooks_late', '', NULL, 'Late', '-', '/', 0, 1, 1)`,
    );
    await rig.raw(
      `INSERT INTO alert_notices (id, incident_id, user_id, way, stage, status, attempts, due_at, created_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       SELECT 'ntc_00' || i, 'inc_0', '${bob}', 'mail', 'opened', 'pending', 0, 1, 1 FROM n`,
    );
    rig.fillDisk();
    await rig.node('mx1').minute();
    expect((await rig.mailed()).map(({ to }) => to).sort()).toEqual(['ann@example.com', 'bob@example.com']);
  });

  it('are not sent to people who left the organization, or can no longer read about the server', async () => {
    const rig = await start();
    const chosen = {
      mail_alerts: '["webhook_disabled","disk_filling"]',
      ...{ quiet_from: '22:00', quiet_to: '06:00', time_zone: 'UTC' },
    };
    const cat = await rig.person('cat@example.com', 'member', chosen, rig.customer);
    const bob = await rig.person('bob@example.com', 'owner', chosen);
    await rig.endpoint('whe_1', 'Gone.');
    rig.fillDisk();
    const node = rig.node('mx1');
    await node.minute();
    expect(await rig.raw('SELECT id FROM alert_notices')).toHaveLength(2);
    const { organizationId } = rig.operator.live;
    await rig.raw(`UPDATE members SET organization_id = '${organizationId}' WHERE user_id = '${cat}'`);
    await rig.raw(`UPDATE members SET role = 'viewer' WHERE user_id = '${bob}'`);
    rig.clock.advance(3 * HOUR);
    await node.minute();
    expect(await rig.mailed()).toEqual([]);
    expect(await rig.raw('SELECT id FROM alert_notices')).toEqual([]);
  });

  it('notify approvers of waiting messages, together and at most every ten minutes', async () => {
    const rig = await start();
    const { store, clock, customer } = rig;
    const { environmentId, organizationId } = customer.live;
    const hold = async (id: string): Promise<void> => {
      await rig.raw(
        `INSERT INTO approvals (id, environment_id, message_id, content_id, recipients, api_key_id, status, differences,
          content_hash, version, expires_at, created_at, updated_at)
          VALUES ('${id}', ${environmentId}, 1, ${id.slice(4)}, 1, 'key_1', 'pending', '[]', 'x', 1, ${clock.now() + DAY}, 1, 1)`,
      );
    };
    const wanted = { mail_alerts: '["approval_requested"]' };
    await rig.person('mia@example.com', 'member', wanted, rig.customer);
    await rig.person('olga@example.com', 'owner', wanted, rig.customer);
    await rig.person('otto@example.com', 'owner', { mail_alerts: '[]' }, rig.customer);
    const { plan } = planPerson(
      { email: 'ada@example.com', name: null, passwordHash: '-', organizationId, role: 'admin' },
      clock.now(),
    );
    await store.commit(plan);
    const node = rig.node('mx1');
    const minute = async (): Promise<void> => {
      clock.advance(MINUTE);
      await announceApprovals({ store, clock: clock.now });
      await node.send.sendDue();
    };
    await hold('apr_1');
    await minute();
    const first = ['ada@example.com', 'olga@example.com'].map((to) => ({
      to,
      subject: 'A message is waiting for approval',
    }));
    expect((await rig.mailed()).toSorted((a, b) => a.to.localeCompare(b.to))).toEqual(first);
    await hold('apr_2');
    await hold('apr_3');
    for (let n = 0; n < 9; n++) await minute();
    expect(await rig.mailed()).toHaveLength(2);
    await minute();
    await minute();
    const all = await rig.mailed();
    expect(all).toHaveLength(4);
    expect(all.at(-1)?.subject).toBe('3 messages are waiting for approval');
  });

  it('inform customers about their own endpoints, tenants and domains, without secrets of URLs', async () => {
    const rig = await start();
    const alerts = '["webhook_disabled","sub_tenant_throttled","sub_tenant_paused","domain_drifted"]';
    await rig.person('cat@example.com', 'member', { mail_alerts: alerts }, rig.customer);
    await rig.person('ann@example.com', 'owner', { mail_alerts: alerts });
    await rig.endpoint('whe_1', 'Ten deliveries failed.');
    await rig.endpoint('whe_2', 'Disabled by request.');
    const { environmentId, workspaceId } = rig.customer.live;
    await rig.raw(
      `INSERT INTO sub_tenants (id, workspace_id, name, sending_domain, status, return_path_ok, inbound_ok, tracking_ok, created_at,
       updated_at, drifting_since) VALUES ('tnt_1', '${workspaceId}', 'Acme', 'acme.example', 'verified', 1, 1, 1, 1, 1, 5)`,
    );
    await rig.raw(
      `INSERT INTO tenant_reputations (environment_id, sub_tenant_id, state, sent, delivered, bounced, complained)
       VALUES (${environmentId}, 'tnt_1', 'throttled', 9, 9, 0, 1)`,
    );
    await rig.node('mx1').minute();
    expect(await rig.mailed()).toEqual([{ to: 'cat@example.com', subject: '3 alerts' }]);
    const titles = (await rig.raw('SELECT title FROM alert_incidents ORDER BY title')).map(
      (row) => row['title'],
    );
    expect(titles).toEqual([
      'DNS records of acme.example are wrong',
      'Sub-tenant throttled: Acme',
      'Webhook endpoint disabled: hooks.example',
    ]);
  });

  it('report a failed backup, a hold after a restore, a lowered share, and late mail', async () => {
    const rig = await start();
    const receiver = await startHttpReceiver();
    onTestFinished(() => receiver.close());
    const alerts = '["backup_failed","outbound_held","queue_late","route_share_lowered","webhooks_late"]';
    await rig.person('ann@example.com', 'admin', { webhook_alerts: alerts, webhook_url: receiver.url });
    await rig.raw(
      `INSERT INTO backups (name, place, started_at, ended_at, with_keys, error) VALUES ('a', '/b', 1, 2, 0, 'The disk is full')`,
    );
    await rig.raw(
      `INSERT INTO restores (epoch, copy_name, copied_at, restored_at, last_message_id) VALUES (7, 'a', 1, 2, 0)`,
    );
    const share = { ...firstShare('leaving', 10, 0, rig.clock.now()), state: 'lowered' as const };
    await rig.store.commit([insert(routeShares, { row: { ...share, reason: 'Too many bounces.' } })]);
    await accept(rig.store, rig.customer.live, [{ domain: 'late.example', dueAt: rig.clock.now() - HOUR }]);
    await rig.node('mx1').minute();
    const [request] = await receiver.waitFor(1);
    const rawBody = request?.rawBody ?? Buffer.alloc(0);
    const header = String(request?.headers['service-signature']);
    expect(verifyWebhook({ secret: SECRET, header, rawBody, now: rig.clock.now() / 1000 })).toBe(true);
    const body = JSON.parse(rawBody.toString()) as {
      event: string;
      data: { alert: string; detail: string }[];
    };
    expect(body.event).toBe('alert.digest');
    expect(body.data.map(({ alert, detail }) => `${alert}: ${detail}`).sort()).toEqual([
      'backup_failed: The disk is full.',
      expect.stringMatching(/^outbound_held/),
      'queue_late: A message to late.example has been due for over 15 minutes.',
      'route_share_lowered: Too many bounces. The share does not rise until an operator resumes it.',
    ]);
  });

  it('report a disk that fills between two host checks within a minute', async () => {
    const rig = await start();
    await rig.person('ann@example.com', 'owner', { mail_alerts: '["disk_filling"]' });
    const node = rig.node('mx1');
    await node.minute();
    expect(await rig.mailed()).toEqual([]);
    rig.fillDisk();
    rig.clock.advance(MINUTE);
    await node.minute();
    expect(await rig.mailed()).toEqual([{ to: 'ann@example.com', subject: 'The disk is almost full' }]);
  });

  it('report a scheduled backup that is two hours late, and its successor', async () => {
    const rig = await start();
    await rig.person('ann@example.com', 'owner', { mail_alerts: '["backup_failed"]' });
    const dueAt = Math.ceil(rig.clock.now() / DAY) * DAY + 3 * HOUR;
    const scheduled = rig.node('mx1', '0 3 * * *');
    const unscheduled = rig.node('mx1');
    rig.clock.advance(dueAt + 2 * HOUR - rig.clock.now());
    await scheduled.minute();
    expect(await rig.mailed()).toEqual([]);
    rig.clock.advance(1);
    await unscheduled.minute();
    expect(await rig.mailed()).toEqual([]);
    await scheduled.minute();
    const overdue = { to: 'ann@example.com', subject: 'A scheduled backup is overdue' };
    expect(await rig.mailed()).toEqual([overdue]);
    await rig.raw(
      `INSERT INTO backups (name, place, started_at, ended_at, with_keys, error) VALUES ('a', '/b', 1, ${rig.clock.now()}, 0, NULL)`,
    );
    await scheduled.minute();
    rig.clock.advance(SETTLE_MS);
    await scheduled.minute();
    await scheduled.minute();
    expect(await rig.mailed()).toEqual([overdue, { ...overdue, subject: `Resolved: ${overdue.subject}` }]);
  });

  it('are held in quiet hours and sent as a digest, except urgent ones', async () => {
    const rig = await start();
    // The clock stands at 03:04 UTC.
    const quiet = { quiet_from: '22:00', quiet_to: '06:00', time_zone: 'UTC' };
    const mail_alerts = '["webhook_disabled","disk_filling"]';
    await rig.person('ann@example.com', 'owner', { mail_alerts, ...quiet });
    await rig.person('bob@example.com', 'owner', { mail_alerts, ...quiet, urgent_passes: 1 });
    const node = rig.node('mx1');
    rig.fillDisk();
    await rig.endpoint('whe_1', 'Gone.', rig.operator);
    await rig.endpoint('whe_2', 'Gone.', rig.operator);
    await node.minute();
    expect(await rig.mailed()).toEqual([{ to: 'bob@example.com', subject: 'The disk is almost full' }]);
    rig.clock.advance(3 * HOUR);
    await node.minute();
    await node.minute();
    expect((await rig.mailed()).slice(1).sort((a, b) => a.to.localeCompare(b.to))).toEqual([
      { to: 'ann@example.com', subject: '3 alerts' },
      { to: 'bob@example.com', subject: '2 alerts' },
    ]);
  });

  it('are limited to ten mails an hour, without losing any', async () => {
    const rig = await start();
    await rig.person('ann@example.com', 'owner', { mail_alerts: '["webhook_disabled"]' });
    const node = rig.node('mx1');
    for (let i = 0; i < 14; i += 1) {
      await rig.endpoint(`whe_${i}`, 'Gone.', rig.operator);
      await node.minute();
      rig.clock.advance(MINUTE);
    }
    expect(await rig.mailed()).toHaveLength(10);
    rig.clock.advance(HOUR);
    await node.minute();
    expect((await rig.mailed()).at(-1)).toMatchObject({ subject: '4 alerts' });
  });

  it("are posted again after a failure, and finally show the receiver's reply", async () => {
    const rig = await start();
    const receiver = await startHttpReceiver();
    onTestFinished(() => receiver.close());
    receiver.setDefault({ status: 500, body: 'no' });
    const chosen = { webhook_alerts: '["webhook_disabled"]', webhook_url: receiver.url };
    const userId = await rig.person('ann@example.com', 'owner', { ...chosen, webhook_format: 'slack' });
    await rig.endpoint('whe_1', 'Gone.', rig.operator);
    const [one, other] = [rig.node('mx1'), rig.node('mx2')];
    const notice = async () => (await rig.store.alerts.notices(userId, { limit: 5, after: null })).rows[0];
    for (let i = 0; i < 8; i += 1) {
      await Promise.all([one.minute(), other.minute()]);
      rig.clock.advance(2 * HOUR);
    }
    expect(receiver.requests).toHaveLength(5);
    expect(await notice()).toMatchObject({ status: 'failed', error: '500 no', attempts: 5 });
    expect(JSON.parse(receiver.requests[0]?.rawBody.toString() ?? '')).toEqual({
      text: expect.stringContaining('*Webhook endpoint disabled: hooks.example*') as string,
    });
  });

  it('wait with a reason while the server has no domain to send from', async () => {
    const rig = await start({ mails: false });
    const userId = await rig.person('ann@example.com', 'owner', { mail_alerts: '["webhook_disabled"]' });
    await rig.endpoint('whe_1', 'Gone.', rig.operator);
    const node = rig.node('mx1');
    const notice = async () => (await rig.store.alerts.notices(userId, { limit: 5, after: null })).rows[0];
    await node.minute();
    expect(await notice()).toMatchObject({
      status: 'pending',
      error: expect.stringContaining('MAILKEEL_PLATFORM_DOMAIN') as string,
    });
    rig.clock.advance(25 * HOUR);
    await node.minute();
    expect(await notice()).toMatchObject({ status: 'failed' });
  });

  it('are deleted after their end', async () => {
    const rig = await start();
    await rig.person('ann@example.com', 'owner', { mail_alerts: '["host_check_failed"]' });
    const node = rig.node('mx1');
    rig.failCheck('fail');
    await node.minute();
    expect(await rig.store.alerts.prune(rig.clock.now() + HOUR, 100)).toBe(0);
    rig.failCheck('pass');
    await node.minute();
    rig.clock.advance(HOST_SETTLE_MS);
    await node.minute();
    expect(await rig.store.alerts.prune(rig.clock.now() + HOUR, 100)).toBe(3);
    expect(await rig.raw(`SELECT id FROM alert_incidents WHERE source <> 'store'`)).toEqual([]);
  });
});
