// Decides when notices may be sent, and writes their text.
import { iso } from '../contract/time.js';
import type { AlertFormat, AlertIncident, AlertNotice, AlertSettings } from './alerts.tables.js';

/** Alerts that a person who has chosen none receives by mail; JSON. Approvers expect to be asked. */
export const DEFAULT_MAIL_ALERTS = '["approval_requested"]';
/** Most mails or posts to one person by one way per hour. Further notices wait and are sent together. */
export const MOST_PER_HOUR = 10;
/** Incidents that a mail or post describes; of the rest it says the number. */
const MOST_DESCRIBED = 50;
const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** Waits (ms) after a failed post. */
export const RETRY_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS];
/** A mail that the server cannot send is tried again after this time (ms), … */
export const MAIL_RETRY_MS = 10 * MINUTE_MS;
/** … until the notice is so old (ms). */
export const MAIL_LIFE_MS = 86_400_000;

const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)$/;

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

/** Returns the minutes since midnight, or `null` if the text is not a time of day. */
function minutesOf(text: string): number | null {
  const [, hours, minutes] = TIME_OF_DAY.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** Returns the minutes since midnight in the time zone. `at` is in epoch ms. */
function localMinutes(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
  return minutesOf(parts) ?? 0;
}

/** Returns whether the person has quiet hours at a time (epoch ms). */
export function isQuiet(
  {
    quiet_from: from,
    quiet_to: to,
    time_zone: zone,
  }: Pick<AlertSettings, 'quiet_from' | 'quiet_to' | 'time_zone'>,
  at: number,
): boolean {
  const [begin, end] = [minutesOf(from ?? ''), minutesOf(to ?? '')];
  if (begin === null || end === null || zone === null) return false;
  const now = localMinutes(at, zone);
  return begin < end ? now >= begin && now < end : now >= begin || now < end;
}

/** A notice with its incident. */
export interface Told extends Pick<AlertNotice, 'stage'> {
  incident: Pick<
    AlertIncident,
    'id' | 'alert' | 'title' | 'detail' | 'path' | 'is_urgent' | 'opened_at' | 'closed_at'
  >;
}

/** The latest stage of each incident: one that began and ended meanwhile is told once. */
function latestOf(notices: readonly Told[]): Told[] {
  const latest = new Map<string, Told>();
  for (const told of notices) {
    const known = latest.get(told.incident.id);
    if (known === undefined || told.stage === 'closed') latest.set(told.incident.id, told);
  }
  return [...latest.values()];
}

function headline({ stage, incident }: Told): string {
  return stage === 'closed' ? `Resolved: ${incident.title}` : incident.title;
}

function describe({ stage, incident }: Told, publicUrl: string): string[] {
  const { detail, opened_at: openedAt, closed_at: closedAt, path } = incident;
  const span =
    stage === 'closed' && closedAt !== null
      ? `From ${iso(openedAt)} to ${iso(closedAt)}.`
      : `Since ${iso(openedAt)}.`;
  return [headline({ stage, incident }), `${detail} ${span}`.trim(), `${publicUrl}${path}`];
}

/** Subject and text of one mail. */
export function alertMail(notices: readonly Told[], publicUrl: string): { subject: string; text: string } {
  const told = latestOf(notices);
  const [first] = told;
  const subject = told.length === 1 && first ? headline(first) : `${told.length} alerts`;
  const more = told.length - MOST_DESCRIBED;
  const text = [
    ...told.slice(0, MOST_DESCRIBED).flatMap((one) => [...describe(one, publicUrl), '']),
    ...(more > 0 ? [`${more} more alerts are not shown.`, ''] : []),
    `Manage your alerts in your account settings: ${publicUrl}`,
    '',
  ].join('\n');
  return { subject: subject.slice(0, 200), text };
}

/** Body of one post. */
export function alertBody(
  format: AlertFormat,
  notices: readonly Told[],
  { publicUrl, now }: { publicUrl: string; now: number },
): string {
  const told = latestOf(notices);
  if (format === 'slack') {
    const more = told.length - MOST_DESCRIBED;
    const parts = told.slice(0, MOST_DESCRIBED).map((one) => {
      const [title = '', ...rest] = describe(one, publicUrl).map(slackText);
      return [`*${title.replaceAll('*', '')}*`, ...rest].join('\n');
    });
    return JSON.stringify({
      text: [...parts, ...(more > 0 ? [`${more} more alerts are not shown.`] : [])].join('\n\n'),
    });
  }
  const data = told.map(({ stage, incident }) => ({
    id: incident.id,
    object: 'alert',
    stage,
    alert: incident.alert,
    title: incident.title,
    detail: incident.detail,
    urgent: incident.is_urgent === 1,
    url: `${publicUrl}${incident.path}`,
    opened_at: iso(incident.opened_at),
    closed_at: incident.closed_at === null ? null : iso(incident.closed_at),
  }));
  const [first] = told;
  const event = told.length === 1 && first ? `alert.${first.stage}` : 'alert.digest';
  return JSON.stringify({ event, occurred_at: iso(now), data });
}

/** The three characters that Slack reads as markup. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
