// Test alerts, which people send to themselves.
import type { Static } from 'typebox';
import { Refusal } from '../contract/refusal.js';
import { insert } from '../database/rows.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import type { alertTest } from './alerts.schema.js';
import { alertIncidents, alertNotices } from './alerts.tables.js';
import { HOUR_MS, MOST_PER_HOUR } from './notices.rules.js';
import type { AlertStores } from './stores.js';
import { newNotice } from './watch.js';

export interface TestAlertDeps {
  store: Pick<AlertStores, 'alerts' | 'commit'>;
  clock: Clock;
  /** Sends what is due now. */
  notify: () => void;
}

/** The ID of the test alert. Refused with `conflict` if there is no webhook URL, or after too many in an hour. */
export async function sendTestAlert(
  { store, clock, notify }: TestAlertDeps,
  userId: string,
  way: Static<typeof alertTest>['way'],
): Promise<string> {
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
  return id;
}
