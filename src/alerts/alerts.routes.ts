// Alert settings and notices of the signed-in person.
import type { Api } from '../http/api.js';
import { listAnswer, orderedQuery, readPage } from '../http/lists/pages.js';
import { ownConfig, requireSession } from '../accounts/sign-in/auth.routes.js';
import { wireOf } from '../contract/codec.js';
import { listOf } from '../contract/lists.js';
import type { Alert } from '../contract/names.js';
import { alertNotice, alertSettings, alertSettingsPut, alertTest, alertTested } from './alerts.schema.js';
import type { ShownNotice } from './alerts.store.js';
import type { AlertSettings } from './alerts.tables.js';
import { DEFAULT_MAIL_ALERTS } from './notices.rules.js';
import { URGENT_ALERTS } from './incidents.rules.js';
import type { AlertContext } from './context.js';
import type { Sender } from './send.js';
import { replaceSettings } from './settings.js';

const tags = ['Auth'];
const MAIL_FAILURES = new Set(['bounced', 'failed', 'suppressed', 'canceled']);
/** Columns before a person has chosen anything. */
const NONE = {
  mail_alerts: DEFAULT_MAIL_ALERTS,
  webhook_alerts: '[]',
  webhook_url: null,
  webhook_format: 'event',
  webhook_secret_sealed: null,
  quiet_from: null,
  quiet_to: null,
  time_zone: null,
  urgent_passes: 0,
} as const;

const presentNotice = wireOf(alertNotice).from<ShownNotice>({
  status: ({ status, mail_status }) => (MAIL_FAILURES.has(mail_status ?? '') ? 'failed' : status),
  error: ({ error, mail_status }) =>
    MAIL_FAILURES.has(mail_status ?? '') ? `The mail is ${mail_status}.` : error,
});

export function alertRoutes(app: Api, context: AlertContext, sender: Sender): void {
  const { store } = context;

  app.get(
    '/v1/auth/alerts',
    {
      config: ownConfig,
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
      presentSettings(context, await store.alerts.settings(requireSession(request).row.user_id), null),
  );

  putRoute(app, context);
  testRoute(app, sender);

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
      const page = await store.alerts.notices(requireSession(request).row.user_id, readPage(request));
      return listAnswer(request, page, (row) => presentNotice(row));
    },
  );
}

function putRoute(app: Api, context: AlertContext): void {
  app.put(
    '/v1/auth/alerts',
    {
      config: { ...ownConfig, showsSecret: true },
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
      const { row, secret } = await replaceSettings(
        context,
        requireSession(request).row.user_id,
        request.body,
      );
      return presentSettings(context, row, secret);
    },
  );
}

function testRoute(app: Api, sender: Sender): void {
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
      const id = await sender.sendTest(requireSession(request).row.user_id, request.body.way);
      return reply.status(202).send({ object: 'alert_test' as const, id });
    },
  );
}

async function presentSettings(
  { systemMail }: AlertContext,
  row: AlertSettings | null,
  secret: string | null,
) {
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
    mail_problem: await systemMail.problem('alerts'),
    urgent_alerts: [...URGENT_ALERTS],
  };
}
