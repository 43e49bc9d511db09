// Alerts of the person who is signed in.
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { Api } from '../http/api.js';
import { listAnswer, orderedQuery, readPage } from '../http/lists/pages.js';
import { ownConfig, sessionOf } from '../accounts/sign-in/auth.routes.js';
import { wireOf } from '../contract/codec.js';
import { listOf } from '../contract/lists.js';
import type { Alert } from '../contract/names.js';
import { invalidFields, Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import { sealSecret } from '../lib/runtime/secrets.js';
import type { SystemMail } from '../accounts/system-mail.js';
import type { AlertStores } from './stores.js';
import { alertNotice, alertSettings, alertSettingsPut, alertTest, alertTested } from './alerts.schema.js';
import type { ShownNotice } from './alerts.store.js';
import {
  type AlertSettings,
  alertSettings as alertSettingsTable,
  alertIncidents,
  alertNotices,
} from './alerts.tables.js';
import { URGENT_ALERTS } from './incidents.rules.js';
import { HOUR_MS, isTimeZone, MOST_PER_HOUR } from './notices.rules.js';
import { alertSecretContext } from './send.js';
import { newNotice } from './watch.js';
import { upsert, insert } from '../database/rows.js';

export interface AlertRouteDeps {
  store: Pick<AlertStores, 'alerts' | 'commit'>;
  masterKey: Buffer;
  systemMail: SystemMail;
  /** Why a URL may not be saved, or null. */
  checkUrl: (url: string) => Promise<string | null>;
  clock: Clock;
  /** Sends what is due now. */
  notify: () => void;
}

const tags = ['Auth'];
const MAIL_FAILURES = new Set(['bounced', 'failed', 'suppressed', 'canceled']);
/** Columns before a person has chosen anything. */
const NONE = {
  ...{ mail_alerts: '[]', webhook_alerts: '[]', webhook_url: null, webhook_format: 'event' },
  ...{ webhook_secret_sealed: null, quiet_from: null, quiet_to: null, time_zone: null, urgent_passes: 0 },
} as const;

const presentNotice = wireOf(alertNotice).from<ShownNotice>({
  status: ({ status, mail_status }) => (MAIL_FAILURES.has(mail_status ?? '') ? 'failed' : status),
  error: ({ error, mail_status }) =>
    MAIL_FAILURES.has(mail_status ?? '') ? `The mail is ${mail_status}.` : error,
});

export function alertRoutes(app: Api, deps: AlertRouteDeps): void {
  const { store } = deps;

  app.get(
    '/v1/auth/alerts',
    {
      config: { ...ownConfig, speaks: ['mail_problem'] },
      schema: {
        operationId: 'auth.getAlerts',
        tags,
        summary: 'Retrieve your alert settings',
        description:
          'Returns the alerts you receive by email and webhook, and your quiet hours. Requires a signed-in session.',
        response: { 200: alertSettings },
      },
    },
    async (request) =>
      presentSettings(deps, await store.alerts.settings(sessionOf(request).row.user_id), null),
  );

  putRoute(app, deps);
  testRoute(app, deps);

  app.get(
    '/v1/auth/alerts/notices',
    {
      config: ownConfig,
      schema: {
        operationId: 'auth.listAlertNotices',
        tags,
        summary: 'List your alert notices',
        description:
          'Returns the alerts you were sent, newest first, with their delivery status. Requires a signed-in session.',
        querystring: orderedQuery,
        response: { 200: listOf(alertNotice) },
      },
    },
    async (request) => {
      const page = await store.alerts.notices(sessionOf(request).row.user_id, readPage(request));
      return listAnswer(request, page, (row) => presentNotice(row));
    },
  );
}

function putRoute(app: Api, deps: AlertRouteDeps): void {
  const { store, masterKey, checkUrl, clock } = deps;
  app.put(
    '/v1/auth/alerts',
    {
      config: { ...ownConfig, showsSecret: true, speaks: ['mail_problem'] },
      schema: {
        operationId: 'auth.putAlerts',
        tags,
        summary: 'Set your alert settings',
        description:
          'Replaces your alert settings. If you set a new webhook URL, the response contains its signing secret, which is not shown again. Requires a signed-in session.',
        body: alertSettingsPut,
        response: { 200: alertSettings },
      },
    },
    async (request) => {
      const { mail_alerts: mail = [], webhook = null, quiet_hours: quiet = null } = request.body;
      const userId = sessionOf(request).row.user_id;
      if (webhook !== null) {
        const problem = await checkUrl(webhook.url);
        if (problem !== null) throw invalidFields([{ path: 'webhook.url', message: problem }]);
      }
      const now = clock();
      const before = await store.alerts.settings(userId);
      const isNew = webhook !== null && webhook.url !== before?.webhook_url;
      const secret = isNew ? `whsec_${randomBytes(32).toString('base64')}` : null;
      const sealed =
        secret === null
          ? (before?.webhook_secret_sealed ?? null)
          : sealSecret(masterKey, Buffer.from(secret), alertSecretContext(userId));
      const set = {
        mail_alerts: JSON.stringify(mail),
        webhook_alerts: JSON.stringify(webhook?.alerts ?? []),
        webhook_url: webhook?.url ?? null,
        webhook_format: webhook?.format ?? 'event',
        webhook_secret_sealed: webhook === null ? null : sealed,
        ...quietColumns(quiet),
        updated_at: now,
      };
      const row: AlertSettings = { user_id: userId, ...set, created_at: now };
      await store.commit([upsert(alertSettingsTable, { row, key: ['user_id'], set })]);
      return presentSettings(deps, row, secret);
    },
  );
}

function quietColumns(
  quiet: Exclude<Static<typeof alertSettingsPut>['quiet_hours'], undefined>,
): Pick<AlertSettings, 'quiet_from' | 'quiet_to' | 'time_zone' | 'urgent_passes'> {
  if (quiet === null) return { quiet_from: null, quiet_to: null, time_zone: null, urgent_passes: 0 };
  const { from, to, time_zone: zone, urgent_passes: passes } = quiet;
  if (!isTimeZone(zone)) {
    const message = `${JSON.stringify(zone)} is not a time zone, such as Europe/Berlin`;
    throw invalidFields([{ path: 'quiet_hours.time_zone', message }]);
  }
  if (from === to) {
    throw invalidFields([{ path: 'quiet_hours.to', message: 'must not be the same as `from`' }]);
  }
  return { quiet_from: from, quiet_to: to, time_zone: zone, urgent_passes: passes ? 1 : 0 };
}

function testRoute(app: Api, { store, clock, notify }: AlertRouteDeps): void {
  app.post(
    '/v1/auth/alerts/test',
    {
      config: ownConfig,
      schema: {
        operationId: 'auth.testAlerts',
        tags,
        summary: 'Send a test alert',
        description:
          'Sends you a test alert by email or webhook, up to ten per hour for each. Test alerts count toward the hourly limit of ten emails or webhook posts. `GET /v1/auth/alerts/notices` shows whether it was delivered. Requires a signed-in session.',
        body: alertTest,
        response: { 202: alertTested },
      },
    },
    async (request, reply) => {
      const userId = sessionOf(request).row.user_id;
      const { way } = request.body;
      if (way === 'webhook' && !(await store.alerts.settings(userId))?.webhook_url) {
        throw new Refusal('conflict', 'Set a webhook URL before you send a test alert.');
      }
      const now = clock();
      if ((await store.alerts.testsSince(userId, way, now - HOUR_MS)) >= MOST_PER_HOUR) {
        throw new Refusal(
          'conflict',
          `You have sent yourself ${MOST_PER_HOUR} test alerts of this kind in the past hour. Try again later.`,
        );
      }
      const id = newId('inc', now);
      await store.commit([
        insert(alertIncidents, {
          row: {
            ...{ id, source: 'test', alert: 'test', subject: id, organization_id: null, path: '/' },
            ...{
              title: 'Test alert',
              detail: 'This is a test alert. Alerts are delivered here.',
              is_urgent: 0,
            },
            ...{ opened_at: now, gone_since: now, closed_at: now, announced: 2 },
          },
        }),
        insert(alertNotices, {
          row: newNotice({ incident_id: id, user_id: userId, way, stage: 'opened' }, now),
        }),
      ]);
      notify();
      return reply.status(202).send({ object: 'alert_test' as const, id });
    },
  );
}

async function presentSettings(deps: AlertRouteDeps, row: AlertSettings | null, secret: string | null) {
  const { mail_alerts, webhook_alerts, webhook_url: url, webhook_format: format, ...rest } = row ?? NONE;
  const { quiet_from: from, quiet_to: to, time_zone: zone, urgent_passes } = rest;
  // Lists are written by the API only.
  const alertsOf = (text: string) => JSON.parse(text) as Alert[];
  return {
    object: 'alert_settings' as const,
    mail_alerts: alertsOf(mail_alerts),
    webhook: url === null ? null : { url, format, alerts: alertsOf(webhook_alerts), secret },
    quiet_hours:
      from === null || to === null || zone === null
        ? null
        : { from, to, time_zone: zone, urgent_passes: urgent_passes === 1 },
    mail_problem: await deps.systemMail.problem('alerts'),
    urgent_alerts: [...URGENT_ALERTS],
  };
}
