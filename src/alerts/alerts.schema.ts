// Alert settings of one person, and the notices that they got.
import { Type } from 'typebox';
import { ALERTS } from '../contract/names.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp, uriText } from '../contract/schema.js';
import { ALERT_FORMATS, ALERT_WAYS } from './alerts.tables.js';

const alerts = Type.Array(oneOf(ALERTS), { uniqueItems: true, maxItems: ALERTS.length });
const format = oneOf(ALERT_FORMATS, {
  description:
    '`event`: an event with the alerts as objects. `slack`: `{"text": "…"}`, which Slack and compatible services take.',
});
const timeOfDay = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: '24-hour time of day.',
});

const quietHours = closed({
  from: timeOfDay,
  to: timeOfDay,
  time_zone: Type.String({ minLength: 1, maxLength: 60, description: 'Name of the IANA database.' }),
  urgent_passes: Type.Boolean({ description: 'Send urgent alerts in quiet hours, too.' }),
});

const alertWebhook = Type.Object({
  url: uriText,
  format,
  alerts,
  secret: nullable(
    Type.String({ description: 'Signs every post. Shown only in the answer that sets a new URL.' }),
  ),
});

export const alertSettings = Type.Object({
  object: Type.Literal('alert_settings'),
  mail_alerts: alerts,
  webhook: nullable(alertWebhook),
  quiet_hours: nullable(quietHours),
  mail_problem: nullable(
    Type.String({ description: 'Why the server cannot send alerts by mail; null when it can.' }),
  ),
  urgent_alerts: Type.Array(oneOf(ALERTS), { description: 'Alerts that may be urgent.' }),
});

export const alertSettingsPut = closed(
  {
    mail_alerts: Type.Optional(alerts),
    webhook: Type.Optional(
      nullable(
        closed({
          url: Type.String({ maxLength: 2048, description: 'http(s), leading to a public address.' }),
          format: Type.Optional(oneOf(ALERT_FORMATS, { default: 'event' })),
          alerts,
        }),
      ),
    ),
    quiet_hours: Type.Optional(nullable(quietHours)),
  },
  {
    examples: [
      {
        mail_alerts: ['host_check_failed', 'backup_failed'],
        quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin', urgent_passes: true },
      },
    ],
  },
);

export const alertNotice = Type.Object({
  id: Type.String(),
  object: Type.Literal('alert_notice'),
  alert: oneOf([...ALERTS, 'test']),
  title: Type.String(),
  detail: Type.String(),
  path: Type.String({ description: 'Page of the dashboard.' }),
  stage: oneOf(['opened', 'closed']),
  way: oneOf(ALERT_WAYS),
  status: oneOf(['pending', 'sent', 'failed']),
  error: nullable(Type.String()),
  attempts: Type.Integer(),
  attempted_at: nullable(timestamp),
  created_at: timestamp,
});

export const alertTest = closed({ way: oneOf(ALERT_WAYS) }, { examples: [{ way: 'mail' }] });

export const alertTested = Type.Object({ object: Type.Literal('alert_test'), id: Type.String() });

nameSchemas({
  AlertSettings: alertSettings,
  AlertSettingsUpdate: alertSettingsPut,
  AlertWebhook: alertWebhook,
  AlertQuietHours: quietHours,
  AlertNotice: alertNotice,
  AlertTest: alertTest,
  AlertTested: alertTested,
});

nameEnums({ AlertName: ALERTS, AlertWay: ALERT_WAYS, AlertFormat: ALERT_FORMATS });
