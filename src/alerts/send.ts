// Sends due notices, by mail from the server's own domain and by signed posts. Notices to one person by one way are sent together.
import { Refusal } from '../contract/refusal.js';
import type { PostOutcome, Poster } from '../lib/http/https-poster.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import { openSecret } from '../lib/runtime/secrets.js';
import { posthornVersion } from '../lib/runtime/version.js';
import type { WakeUps } from '../messages/accept/accept.js';
import { planPostmasterMail, systemMailDomain } from '../messages/system-mail/system-mail.js';
import { systemEnvironment } from '../messages/system-mail/system-workspace.js';
import type { Change } from '../store/plan.js';
import type { Store } from '../store/store.js';
import { signWebhook } from '../webhooks/signature.rules.js';
import type { DueNotice } from './alerts.store.js';
import type { AlertNotice, AlertSettings } from './alerts.tables.js';
import {
  alertBody,
  alertMail,
  isQuiet,
  MAIL_LIFE_MS,
  MAIL_RETRY_MS,
  MOST_PER_HOUR,
  RETRY_MS,
} from './notices.rules.js';

const HOUR_MS = 3_600_000;
const MAX_ERROR = 300;
const TAKEN = { code: 'conflict', message: 'Another node sends the notice.' } as const;

export interface SendDeps {
  store: Pick<Store, 'alerts' | 'people' | 'accounts' | 'tenants' | 'commit'>;
  poster: Pick<Poster, 'post'>;
  masterKey: Buffer;
  platformDomain: string | null;
  publicUrl: string;
  clock: Clock;
  wakeUps: WakeUps;
}

/** The context that secrets of a person's alert URL are sealed with. */
export function alertSecretContext(userId: string): string {
  return `alert-webhook-secret:${userId}`;
}

type NoticeColumns = Partial<
  Pick<AlertNotice, 'status' | 'attempts' | 'due_at' | 'batch_id' | 'message_id' | 'error' | 'attempted_at'>
>;

export function createSend(deps: SendDeps) {
  const { store, poster, masterKey, publicUrl, clock, wakeUps } = deps;
  const { alerts } = store;

  /** Refused with `conflict` when another node was faster. */
  function changes(notices: readonly DueNotice[], set: (notice: DueNotice) => NoticeColumns): Change[] {
    return notices.map((notice) => ({
      ...{ kind: 'update', table: 'alert_notices', set: set(notice), otherwise: TAKEN },
      where: { id: notice.id, status: 'pending', attempts: notice.attempts },
    }));
  }

  async function mail(notices: readonly DueNotice[], email: string): Promise<void> {
    const now = clock();
    let domain: string;
    try {
      domain = await systemMailDomain(deps, 'alerts');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { message } = error;
      const columns = (notice: DueNotice): NoticeColumns => ({
        status: now - notice.created_at >= MAIL_LIFE_MS ? 'failed' : 'pending',
        ...{ error: message.slice(0, MAX_ERROR), due_at: now + MAIL_RETRY_MS },
      });
      await store.commit(changes(notices, columns));
      return;
    }
    const environment = await systemEnvironment(store, now);
    const content = alertMail(notices, publicUrl);
    const plan = planPostmasterMail(environment, {
      to: email,
      domain,
      ...content,
      lifeMs: MAIL_LIFE_MS,
      now,
    });
    const batch = newId('ntc', now);
    const sent = {
      ...{ batch_id: batch, attempted_at: now, error: null },
      message_id: plan[0]?.message.row.public_id ?? null,
    };
    const { queueIds } = await store.commit([
      ...changes(notices, ({ attempts }) => ({ ...sent, status: 'sent', attempts: attempts + 1 })),
      ...plan,
    ]);
    wakeUps.queue(queueIds);
    wakeUps.events();
  }

  async function post(notices: readonly DueNotice[], settings: AlertSettings | null): Promise<void> {
    const { webhook_url: url = null, webhook_secret_sealed: sealed = null } = settings ?? {};
    const at = clock();
    if (settings === null || url === null || sealed === null) {
      const gone = { status: 'failed', error: 'The webhook was removed.' } as const;
      await store.commit(changes(notices, () => gone));
      return;
    }
    const id = newId('ntc', at);
    // A server that ends during the post tries again later.
    await store.commit(
      changes(notices, ({ attempts }) => ({
        ...{ attempts: attempts + 1, batch_id: id, attempted_at: at },
        due_at: at + (RETRY_MS[attempts] ?? HOUR_MS),
      })),
    );
    const claimed = notices.map((notice) => ({ ...notice, attempts: notice.attempts + 1 }));
    const body = alertBody(settings.webhook_format, notices, { publicUrl, now: at });
    const secret = openSecret(masterKey, sealed, alertSecretContext(settings.user_id)).toString();
    const outcome = await poster.post(url, {
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
        'User-Agent': `Posthorn/${posthornVersion()}`,
        'Service-Signature': signWebhook({ secret, timestamp: at / 1000, rawBody: body }),
        'Service-Delivery': id,
      },
      body,
    });
    const error = problemOf(outcome);
    await store.commit(
      changes(claimed, ({ attempts }) => {
        if (error === null) return { status: 'sent', error: null };
        return { error, status: RETRY_MS[attempts - 1] === undefined ? 'failed' : 'pending' };
      }),
    );
  }

  /** Returns the notices that may be sent now, within the limit of an hour and the quiet hours. */
  async function sendable(
    notices: readonly DueNotice[],
    settings: AlertSettings | null,
  ): Promise<readonly DueNotice[]> {
    const [first] = notices;
    const now = clock();
    if (first === undefined) return [];
    const sent = await alerts.batchesSince(first.user_id, first.way, now - HOUR_MS);
    if (sent >= MOST_PER_HOUR) return [];
    if (settings === null || !isQuiet(settings, now)) return notices;
    const passes = ({ incident }: DueNotice): boolean =>
      incident.alert === 'test' || (settings.urgent_passes === 1 && incident.is_urgent === 1);
    return notices.filter(passes);
  }

  async function sendTo(userId: string, notices: readonly DueNotice[]): Promise<void> {
    const [settings, user] = [await alerts.settings(userId), await store.people.user(userId)];
    if (user === null) return;
    const now = await sendable(notices, settings);
    if (now.length === 0) return;
    await (now[0]?.way === 'mail' ? mail(now, user.email) : post(now, settings));
  }

  return {
    async sendDue(): Promise<void> {
      const groups = new Map<string, DueNotice[]>();
      for (const notice of await alerts.due(clock())) {
        const key = `${notice.way} ${notice.user_id}`;
        groups.set(key, [...(groups.get(key) ?? []), notice]);
      }
      const sends = [...groups.values()].map(async (notices) => {
        try {
          await sendTo(notices[0]?.user_id ?? '', notices);
        } catch (error) {
          if (!(error instanceof Refusal && error.code === 'conflict')) throw error;
        }
      });
      const [failed] = (await Promise.allSettled(sends)).filter(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },
  };
}

/** Null for a success. */
function problemOf(outcome: PostOutcome): string | null {
  if (outcome.kind === 'error') return outcome.error.slice(0, MAX_ERROR);
  if (outcome.status >= 200 && outcome.status < 300) return null;
  return `${outcome.status} ${outcome.body}`.trim().slice(0, MAX_ERROR);
}
