// Sends due notices, by mail from the server's own domain and by signed posts. Notices to one person by one way are sent together.
import { Refusal } from '../contract/refusal.js';
import type { Poster, PostOutcome } from '../lib/http/index.js';
import { type Clock, newId, productVersion } from '../lib/runtime/index.js';
import { openSecret } from '../lib/secrets/index.js';
import type { AlertContext } from './context.js';
import type { AlertStores } from './stores.js';
import { signWebhook } from '../webhooks/signature.rules.js';
import type { DueNotice } from './alerts.store.js';
import { mayLearn, newNotice } from './watch.js';
import {
  type AlertIncident,
  type AlertNotice,
  type AlertSettings,
  type AlertWay,
  alertIncidents,
  alertNotices,
} from './alerts.tables.js';
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
import { insert, remove, update } from '../database/rows.js';

const MAX_ERROR = 300;
/** Number of mails and posts in parallel. */
const AT_A_TIME = 50;
/** Another node sends the notice. */
const TAKEN = { code: 'conflict' } as const;

/** A person, and the way that their notices are sent. */
type Person = Pick<AlertNotice, 'user_id' | 'way'>;

/** The context that secrets of a person's alert URL are sealed with. */
export function alertSecretContext(userId: string): string {
  return `alert-webhook-secret:${userId}`;
}

type NoticeColumns = Partial<
  Pick<AlertNotice, 'status' | 'attempts' | 'due_at' | 'batch_id' | 'message_id' | 'error' | 'attempted_at'>
>;

type SenderContext = Pick<AlertContext, 'masterKey' | 'systemMail' | 'wakeUps' | 'clock' | 'log'> & {
  store: Pick<AlertStores, 'alerts' | 'people' | 'commit'>;
  config: Pick<AlertContext['config'], 'publicUrl'>;
};

export class Sender {
  readonly #context: SenderContext;
  readonly #store: SenderContext['store'];
  readonly #alerts: AlertStores['alerts'];
  readonly #clock: Clock;
  readonly #poster: Pick<Poster, 'post'>;
  #sending = Promise.resolve();

  constructor(context: SenderContext, poster: Pick<Poster, 'post'>) {
    this.#context = context;
    this.#store = context.store;
    this.#alerts = context.store.alerts;
    this.#clock = context.clock;
    this.#poster = poster;
  }

  /** Sends due notices. Runs one after the other; the next run sends notices that were added meanwhile. */
  sendDue(): Promise<void> {
    const run = this.#sending.then(() => this.#sendAll());
    this.#sending = run.catch(() => undefined);
    return run;
  }

  /** Resolves when the posts in progress have ended. */
  settled(): Promise<void> {
    return this.#sending;
  }

  /**
   * Starts to send a test alert, which a person requested, and returns its ID. Refused with `conflict` if there is no webhook
   * URL, or after too many in an hour.
   */
  async sendTest(userId: string, way: AlertWay): Promise<string> {
    if (way === 'webhook' && !(await this.#alerts.settings(userId))?.webhook_url) {
      throw new Refusal('conflict', 'Set a webhook URL before you send a test alert.');
    }
    const now = this.#clock();
    if ((await this.#alerts.testsSince(userId, way, now - HOUR_MS)) >= MOST_PER_HOUR) {
      throw new Refusal(
        'conflict',
        `You have sent yourself ${MOST_PER_HOUR} test alerts of this kind in the past hour. Try again later.`,
      );
    }
    const id = newId('inc', now);
    await this.#store.commit([
      insert(alertIncidents, { row: testIncident(id, now) }),
      insert(alertNotices, {
        row: newNotice({ incident_id: id, user_id: userId, way, stage: 'opened' }, now),
      }),
    ]);
    this.sendDue().catch((error: unknown) =>
      this.#context.log.error({ err: error }, 'sending alerts failed'),
    );
    return id;
  }

  async #sendAll(): Promise<void> {
    const people = await this.#alerts.duePeople(this.#clock());
    const failures: unknown[] = [];
    const sendNext = async (): Promise<void> => {
      for (let person = people.pop(); person !== undefined; person = people.pop()) {
        try {
          await this.#sendTo(person);
        } catch (error) {
          if (!(error instanceof Refusal && error.code === 'conflict')) failures.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, sendNext));
    if (failures.length > 0) throw failures[0];
  }

  async #sendTo(person: Person): Promise<void> {
    const { user_id: userId, way } = person;
    const now = this.#clock();
    if ((await this.#alerts.batchesSince(userId, way, now - HOUR_MS)) >= MOST_PER_HOUR) return;
    const settings = await this.#alerts.settings(userId);
    const user = await this.#store.people.user(userId);
    if (user === null) return;
    const readable = await this.#readable(userId, await this.#alerts.due(person, now));
    const notices = sendable(readable, settings, this.#clock());
    if (notices.length === 0) return;
    await (way === 'mail' ? this.#mail(notices, user.email) : this.#post(notices, settings));
  }

  /** Returns the notices that the person may still read, and deletes the others: people leave organizations and change roles. */
  async #readable(userId: string, notices: readonly DueNotice[]): Promise<readonly DueNotice[]> {
    const [memberships, operator] = [await this.#alerts.memberships(userId), await this.#alerts.operator()];
    const may = ({ incident }: DueNotice): boolean =>
      incident.alert === 'test' || memberships.some((one) => mayLearn(incident, one, operator));
    const refused = notices.filter((notice) => !may(notice));
    if (refused.length > 0) {
      await this.#store.commit(
        refused.map(({ id }): Change => remove(alertNotices, { where: { id, status: 'pending' } })),
      );
    }
    return notices.filter(may);
  }

  async #mail(notices: readonly DueNotice[], email: string): Promise<void> {
    const { systemMail, config, wakeUps } = this.#context;
    const now = this.#clock();
    const problem = await systemMail.problem('alerts');
    if (problem !== null) {
      const columns = (notice: DueNotice): NoticeColumns => ({
        status: now - notice.created_at >= MAIL_LIFE_MS ? 'failed' : 'pending',
        error: problem.slice(0, MAX_ERROR),
        due_at: now + MAIL_RETRY_MS,
      });
      await this.#store.commit(changeNotices(notices, columns));
      return;
    }
    const content = alertMail(notices, config.publicUrl);
    const plan = await systemMail.plan({ to: email, ...content, lifeMs: MAIL_LIFE_MS, now });
    const sent = {
      status: 'sent',
      batch_id: newId('ntc', now),
      attempted_at: now,
      error: null,
      message_id: plan[0]?.madeId ?? null,
    } as const;
    const { queueIds } = await this.#store.commit([
      ...changeNotices(notices, ({ attempts }) => ({ ...sent, attempts: attempts + 1 })),
      ...plan,
    ]);
    wakeUps.queue(queueIds);
    wakeUps.events();
  }

  async #post(notices: readonly DueNotice[], settings: AlertSettings | null): Promise<void> {
    const { masterKey, config } = this.#context;
    const { webhook_url: url = null, webhook_secret_sealed: sealed = null } = settings ?? {};
    const at = this.#clock();
    if (settings === null || url === null || sealed === null) {
      const gone = { status: 'failed', error: 'The alert webhook was removed.' } as const;
      await this.#store.commit(changeNotices(notices, () => gone));
      return;
    }
    const id = newId('ntc', at);
    // Committed before the post, so that a server that stops during it retries later.
    await this.#store.commit(
      changeNotices(notices, ({ attempts }) => ({
        attempts: attempts + 1,
        batch_id: id,
        attempted_at: at,
        due_at: at + (RETRY_MS[attempts] ?? HOUR_MS),
      })),
    );
    const claimed = notices.map((notice) => ({ ...notice, attempts: notice.attempts + 1 }));
    const body = alertBody(settings.webhook_format, notices, { publicUrl: config.publicUrl, now: at });
    const secret = openSecret(masterKey, sealed, alertSecretContext(settings.user_id)).toString();
    const outcome = await this.#poster.post(url, {
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
        'User-Agent': `Mailkeel/${productVersion()}`,
        'Service-Signature': signWebhook({ secret, timestamp: at / 1000, rawBody: body }),
        'Service-Delivery': id,
      },
      body,
    });
    const error = postProblem(outcome);
    await this.#store.commit(
      changeNotices(claimed, ({ attempts }) => {
        if (error === null) return { status: 'sent', error: null };
        return { error, status: RETRY_MS[attempts - 1] === undefined ? 'failed' : 'pending' };
      }),
    );
  }
}

/** Changes that are refused with `conflict` if another node was faster. */
function changeNotices(notices: readonly DueNotice[], set: (notice: DueNotice) => NoticeColumns): Change[] {
  return notices.map((notice) =>
    update(alertNotices, {
      set: set(notice),
      where: { id: notice.id, status: 'pending', attempts: notice.attempts },
      otherwise: TAKEN,
    }),
  );
}

/** Returns the notices that may be sent in the quiet hours, or all outside of them. */
function sendable(
  notices: readonly DueNotice[],
  settings: AlertSettings | null,
  now: number,
): readonly DueNotice[] {
  if (settings === null || !isQuiet(settings, now)) return notices;
  const passes = ({ incident }: DueNotice): boolean =>
    incident.alert === 'test' || (settings.urgent_passes === 1 && incident.is_urgent === 1);
  return notices.filter(passes);
}

function testIncident(id: string, now: number): AlertIncident {
  return {
    id,
    source: 'test',
    alert: 'test',
    subject: id,
    organization_id: null,
    path: '/',
    title: 'Test alert',
    detail: 'This is a test alert. Alerts are delivered here.',
    is_urgent: 0,
    opened_at: now,
    gone_since: now,
    closed_at: now,
    announced: 2,
  };
}

/** Returns `null` for a success. */
function postProblem(outcome: PostOutcome): string | null {
  if (outcome.kind === 'error') return outcome.error.slice(0, MAX_ERROR);
  if (outcome.status >= 200 && outcome.status < 300) return null;
  return `${outcome.status} ${outcome.body}`.trim().slice(0, MAX_ERROR);
}
