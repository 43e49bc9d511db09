// Sends due notices, by mail from the server's own domain and by signed posts. Notices to one person by one way are sent together.
import { Refusal } from '../contract/refusal.js';
import type { PostOutcome, Poster } from '../lib/http/https-poster.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import { openSecret } from '../lib/runtime/secrets.js';
import { productVersion } from '../lib/runtime/version.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { SystemMail } from '../accounts/system-mail.js';
import type { AlertStores } from './stores.js';
import { signWebhook } from '../webhooks/signature.rules.js';
import type { DueNotice } from './alerts.store.js';
import { mayLearn } from './watch.js';
import { type AlertNotice, type AlertSettings, alertNotices } from './alerts.tables.js';
import {
  alertBody,
  alertMail,
  HOUR_MS,
  isQuiet,
  MAIL_LIFE_MS,
  MAIL_RETRY_MS,
  MOST_PER_HOUR,
  RETRY_MS,
} from './notices.rules.js';
import type { Change } from '../database/change.js';
import { update, remove } from '../database/rows.js';

const MAX_ERROR = 300;
/** Mails and posts. */
const AT_A_TIME = 50;
/** Another node sends the notice. */
const TAKEN = { code: 'conflict' } as const;

export interface SendDeps {
  store: Pick<AlertStores, 'alerts' | 'people' | 'commit'>;
  poster: Pick<Poster, 'post'>;
  masterKey: Buffer;
  systemMail: SystemMail;
  publicUrl: string;
  clock: Clock;
  wakeUps: WakeUps;
}

/** A person, and the way that their notices go. */
type Person = Pick<AlertNotice, 'user_id' | 'way'>;

/** The context that secrets of a person's alert URL are sealed with. */
export function alertSecretContext(userId: string): string {
  return `alert-webhook-secret:${userId}`;
}

type NoticeColumns = Partial<
  Pick<AlertNotice, 'status' | 'attempts' | 'due_at' | 'batch_id' | 'message_id' | 'error' | 'attempted_at'>
>;

export function createSend(deps: SendDeps) {
  const { store, poster, masterKey, systemMail, publicUrl, clock, wakeUps } = deps;
  const { alerts } = store;

  /** Refused with `conflict` when another node was faster. */
  function changes(notices: readonly DueNotice[], set: (notice: DueNotice) => NoticeColumns): Change[] {
    return notices.map((notice) =>
      update(alertNotices, {
        set: set(notice),
        where: { id: notice.id, status: 'pending', attempts: notice.attempts },
        otherwise: TAKEN,
      }),
    );
  }

  async function mail(notices: readonly DueNotice[], email: string): Promise<void> {
    const now = clock();
    const problem = await systemMail.problem('alerts');
    if (problem !== null) {
      const columns = (notice: DueNotice): NoticeColumns => ({
        status: now - notice.created_at >= MAIL_LIFE_MS ? 'failed' : 'pending',
        ...{ error: problem.slice(0, MAX_ERROR), due_at: now + MAIL_RETRY_MS },
      });
      await store.commit(changes(notices, columns));
      return;
    }
    const content = alertMail(notices, publicUrl);
    const plan = await systemMail.plan({ to: email, ...content, lifeMs: MAIL_LIFE_MS, now });
    const batch = newId('ntc', now);
    const sent = {
      ...{ batch_id: batch, attempted_at: now, error: null },
      message_id: plan[0]?.madeId ?? null,
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
      const gone = { status: 'failed', error: 'The alert webhook was removed.' } as const;
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
        'User-Agent': `Mailkeel/${productVersion()}`,
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

  /** Returns the notices that may be sent in the quiet hours, or all outside of them. */
  function sendable(notices: readonly DueNotice[], settings: AlertSettings | null): readonly DueNotice[] {
    if (settings === null || !isQuiet(settings, clock())) return notices;
    const passes = ({ incident }: DueNotice): boolean =>
      incident.alert === 'test' || (settings.urgent_passes === 1 && incident.is_urgent === 1);
    return notices.filter(passes);
  }

  /** Returns the notices that the person may still read, and deletes the others: people leave organizations and change roles. */
  async function readable(userId: string, notices: readonly DueNotice[]): Promise<readonly DueNotice[]> {
    const [memberships, operator] = [await alerts.memberships(userId), await alerts.operator()];
    const may = ({ incident }: DueNotice): boolean =>
      incident.alert === 'test' || memberships.some((one) => mayLearn(incident, one, operator));
    const refused = notices.filter((notice) => !may(notice));
    if (refused.length > 0) {
      await store.commit(
        refused.map(({ id }): Change => remove(alertNotices, { where: { id, status: 'pending' } })),
      );
    }
    return notices.filter(may);
  }

  async function sendTo(person: Person): Promise<void> {
    const { user_id: userId, way } = person;
    const now = clock();
    if ((await alerts.batchesSince(userId, way, now - HOUR_MS)) >= MOST_PER_HOUR) return;
    const [settings, user] = [await alerts.settings(userId), await store.people.user(userId)];
    if (user === null) return;
    const notices = sendable(await readable(userId, await alerts.due(person, now)), settings);
    if (notices.length === 0) return;
    await (way === 'mail' ? mail(notices, user.email) : post(notices, settings));
  }

  return {
    async sendDue(): Promise<void> {
      const people = await alerts.duePeople(clock());
      const failures: unknown[] = [];
      async function sendNext(): Promise<void> {
        for (let person = people.pop(); person !== undefined; person = people.pop()) {
          try {
            await sendTo(person);
          } catch (error) {
            if (!(error instanceof Refusal && error.code === 'conflict')) failures.push(error);
          }
        }
      }
      await Promise.all(Array.from({ length: AT_A_TIME }, sendNext));
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Null for a success. */
function problemOf(outcome: PostOutcome): string | null {
  if (outcome.kind === 'error') return outcome.error.slice(0, MAX_ERROR);
  if (outcome.status >= 200 && outcome.status < 300) return null;
  return `${outcome.status} ${outcome.body}`.trim().slice(0, MAX_ERROR);
}
