// Alert settings of a person: which alerts they receive, and their quiet hours.
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import { invalidFields } from '../contract/refusal.js';
import { upsert } from '../database/rows.js';
import { resolveAndCheck, resolveByDns } from '../lib/http/index.js';
import { sealSecret } from '../lib/secrets/index.js';
import type { AlertContext } from './context.js';
import type { alertSettingsPut } from './alerts.schema.js';
import { type AlertSettings, alertSettings } from './alerts.tables.js';
import { isTimeZone } from './notices.rules.js';
import { alertSecretContext } from './send.js';

type GivenSettings = Static<typeof alertSettingsPut>;

/** Saves the settings and returns them. A new webhook URL gets a new signing secret; otherwise `secret` is `null`. */
export async function replaceSettings(
  { store, masterKey, config, resolver, clock }: AlertContext,
  userId: string,
  given: GivenSettings,
): Promise<{ row: AlertSettings; secret: string | null }> {
  const { mail_alerts: mail = [], webhook = null, quiet_hours: quiet = null } = given;
  if (webhook !== null) {
    const { webhookAllowPrivate: allowPrivate } = config;
    const problem = await resolveAndCheck(webhook.url, { allowPrivate, resolve: resolveByDns(resolver) });
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
  await store.commit([upsert(alertSettings, { row, key: ['user_id'], set })]);
  return { row, secret };
}

function quietColumns(
  quiet: Exclude<GivenSettings['quiet_hours'], undefined>,
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
