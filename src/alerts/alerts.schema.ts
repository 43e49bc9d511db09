// Alert settings of a person, and their notices.
import { Type } from 'typebox';
import { ALERTS } from '../contract/names.js';
import {
  closed,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
  uriText,
  sentence,
} from '../contract/schema.js';
import { ALERT_FORMATS, ALERT_WAYS } from './alerts.tables.js';

const alerts = Type.Array(oneOf(ALERTS), { uniqueItems: true, maxItems: ALERTS.length });
const format = oneOf(ALERT_FORMATS, {
  description:
    'The payload format. `event` is an event object that contains the alerts. `slack` is `{"text": "…"}` for Slack and compatible services.',
});
const timeOfDay = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'A time of day in 24-hour format.',
});

const quietHours = closed({
  from: timeOfDay,
  to: timeOfDay,
  time_zone: Type.String({ minLength: 1, maxLength: 60, description: 'An IANA time zone name.' }),
  urgent_passes: Type.Boolean({ description: 'Whether to send urgent alerts during quiet hours.' }),
});

const alertWebhook = Type.Object({
  url: uriText,
  format,
  alerts,
  secret: nullable(
    Type.String({ description: 'The secret that signs every post. Only returned when you set a new URL.' }),
  ),
});

export const alertSettings = Type.Object({
  object: Type.Literal('alert_settings'),
  mail_alerts: alerts,
  webhook: nullable(alertWebhook),
  quiet_hours: nullable(quietHours),
  mail_problem: nullable(
    sentence({ description: 'Why the server cannot send alerts by email. `null` if it can.' }),
  ),
  urgent_alerts: Type.Array(oneOf(ALERTS), {
    description: 'Alerts that are always or sometimes urgent. Urgent alerts can be sent during quiet hours.',
  }),
});

export const alertSettingsPut = closed(
  {
    mail_alerts: Type.Optional(alerts),
    webhook: Type.Optional(
      nullable(
        closed({
          url: Type.String({ maxLength: 2048, description: 'An http or https URL with a public address.' }),
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
  title: sentence(),
  detail: sentence(),
  path: Type.String({ description: 'The path of the related dashboard page.' }),
  stage: oneOf(['opened', 'closed']),
  way: oneOf(ALERT_WAYS),
  status: oneOf(['pending', 'sent', 'failed']),
  error: nullable(sentence()),
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
