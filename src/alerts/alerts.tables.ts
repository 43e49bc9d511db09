// Tables of alerts: settings of each person, incidents, and the notices about them.
import type { Alert } from '../contract/names.js';
import { flag, instant, int, json, nullable, type RowOf, table, text } from '../database/columns.js';

export const ALERT_WAYS = ['mail', 'webhook'] as const;
export type AlertWay = (typeof ALERT_WAYS)[number];
export const ALERT_FORMATS = ['event', 'slack'] as const;
export type AlertFormat = (typeof ALERT_FORMATS)[number];

export const alertSettings = table('alert_settings', {
  user_id: text(),
  /** JSON arrays of alerts. */
  mail_alerts: json(),
  webhook_alerts: json(),
  webhook_url: nullable(text()),
  webhook_format: text<AlertFormat>(),
  /** Signs the posts. Set if there is a URL. */
  webhook_secret_sealed: nullable(text()),
  /** Times of day such as `22:00` in the time zone; `null` without quiet hours. */
  quiet_from: nullable(text()),
  quiet_to: nullable(text()),
  /** IANA name. */
  time_zone: nullable(text()),
  /** Whether urgent alerts are sent in quiet hours. */
  urgent_passes: flag(),
  created_at: instant(),
  updated_at: instant(),
});
export type AlertSettings = RowOf<typeof alertSettings>;

/** A problem from its first observation to its end. One is open at a time for each source, alert and subject. */
export const alertIncidents = table('alert_incidents', {
  id: text(),
  /** The observer: `store`, or `host:` and the name of a machine. */
  source: text(),
  alert: text<Alert | 'test'>(),
  subject: text(),
  /** The organization whose people are notified; `null` for the operator's. */
  organization_id: nullable(text()),
  title: text(),
  detail: text(),
  /** Page of the dashboard. */
  path: text(),
  is_urgent: flag(),
  opened_at: instant(),
  /** When it was first not observed. */
  gone_since: nullable(instant()),
  closed_at: nullable(instant()),
  /** 0 if notices are due, 1 after those of its beginning were made, 2 after those of its end. */
  announced: int<0 | 1 | 2>(),
});
export type AlertIncident = RowOf<typeof alertIncidents>;

/** A notice to one person about one incident, by mail or by webhook. */
export const alertNotices = table('alert_notices', {
  id: text(),
  incident_id: text(),
  user_id: text(),
  way: text<AlertWay>(),
  stage: text<'opened' | 'closed'>(),
  status: text<'pending' | 'sent' | 'failed'>(),
  attempts: int(),
  /** Not attempted before. */
  due_at: instant(),
  /** Notices in the same mail or post have the same ID. */
  batch_id: nullable(text()),
  /** Public id of the mail. */
  message_id: nullable(text()),
  error: nullable(text()),
  attempted_at: nullable(instant()),
  created_at: instant(),
});
export type AlertNotice = RowOf<typeof alertNotices>;
