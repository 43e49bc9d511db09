// Tells the submitters of relayed mail, by mail, what became of it (RFC 3461, RFC 3464). Each report that is due becomes a message
// in one commit with the note that it did.
import { Refusal } from '../../contract/refusal.js';
import { addressKey, addressProblem } from '../../lib/mime/address.js';
import { readDsnWish } from '../../lib/dsn/dsn-options.js';
import type { DueReport } from './reports-due.rules.js';
import type { Lifetimes } from '../../outbound/schedule/retry-schedule.rules.js';
import { createBell } from '../../lib/runtime/wake-up.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Config } from '../../settings/settings.js';
import { newId } from '../../lib/runtime/ids.js';
import type { Log } from '../../lib/runtime/log.js';
import { createLoop, type Loop } from '../../lib/runtime/loop.js';
import { setReport, type WaitingReport } from './delivery-reports.store.js';
import type { Deliverable } from '../../outbound/deliver/deliverables.store.js';
import type { Store } from '../../store/store.js';
import type { Bells } from '../../messages/accept/accept.js';
import { planMessages } from '../../messages/accept/plan-message.js';
import { reportDraft } from './report-mail.js';
import { createReportPace } from './report-pace.js';
import { reportSender } from './report-sender.js';

const BATCH = 100;
/** Rows are looked for even when no bell rang. */
const IDLE_MS = 5_000;
const MAX_ATTEMPTS = 8;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 3_600_000;

const NO_SENDER =
  'there is no domain to sign it: verify a domain sender, or set POSTHORN_PLATFORM_DOMAIN and publish its DKIM record';

export interface DeliveryReportsDeps {
  store: Pick<Store, 'deliveryReports' | 'messages' | 'tenants' | 'commit'>;
  settings: Lifetimes & Pick<Config, 'hostname' | 'platformDomain' | 'relayDsn' | 'relayDsnRate'>;
  clock: Clock;
  log: Log;
  bells: Bells;
}

export interface DeliveryReports extends Loop {
  /** Reports became due. */
  ring(): void;
}

export function createDeliveryReports(deps: DeliveryReportsDeps): DeliveryReports {
  const { store, settings, clock, log, bells } = deps;
  const bell = createBell();
  const pace = createReportPace(settings.relayDsnRate);

  async function tell(row: WaitingReport): Promise<void> {
    const wish = readDsnWish(row.dsn);
    // The operator wants none any more; the message is gone; it was delivered, or not, before it could be called late.
    const isStale = row.action === 'delayed' && row.retry_until === null;
    if (settings.relayDsn === 'never' || wish === null || isStale) return end(row);
    const problem = addressProblem(wish.sender);
    if (problem !== null) return giveUp(row, problem);
    const now = clock();
    const at = pace.timeFor(addressKey(wish.sender), now);
    if (at > now) {
      await store.commit([setReport(row, { due_at: at })]);
      return;
    }
    const reported = (await store.messages.deliverables([row.message_id])).get(row.message_id);
    const target = reported ? await store.messages.forToken(reported.message.public_id) : null;
    if (!reported || !target) return end(row);
    if (isTenantGone(reported)) return giveUp(row, 'the sub-tenant was deleted');
    const { scope } = target;
    const from = await reportSender(deps, reported, scope.mode);
    if (from === null) return giveUp(row, NO_SENDER);
    const publicId = newId('msg', now);
    const draft = reportDraft({
      publicId,
      hostname: settings.hostname,
      from,
      wish,
      due: JSON.parse(row.detail) as DueReport,
      retryUntil: row.retry_until,
      reported,
    });
    const { plan } = planMessages(draft, {
      scope,
      actor: 'system',
      now,
      idempotency: null,
      lifetimes: settings,
    });
    const { laneIds } = await store.commit([setReport(row, { due_at: null }), ...plan]);
    bells.queue(laneIds);
    bells.events();
    log.info(
      { message_id: reported.message.public_id, action: row.action, report_id: publicId },
      'delivery report queued',
    );
  }

  async function end(row: WaitingReport): Promise<void> {
    await store.commit([setReport(row, { due_at: null })]);
  }

  async function giveUp(row: WaitingReport, why: string): Promise<void> {
    log.warn({ message: row.message_id, action: row.action, why }, 'delivery report given up');
    await end(row);
  }

  async function failed(row: WaitingReport, error: unknown): Promise<void> {
    const attempts = row.attempts + 1;
    log.error({ err: error, message: row.message_id, action: row.action, attempts }, 'delivery report fault');
    if (attempts >= MAX_ATTEMPTS) return giveUp(row, 'it failed too often');
    const waitMs = Math.min(FIRST_RETRY_MS * 4 ** row.attempts, LONGEST_RETRY_MS);
    await store.commit([setReport(row, { due_at: clock() + waitMs, attempts })]);
  }

  async function work(row: WaitingReport): Promise<void> {
    try {
      await tell(row).catch((error: unknown) => {
        if (isTaken(error)) throw error;
        return failed(row, error);
      });
    } catch (error) {
      // Another process was first.
      if (!isTaken(error)) throw error;
    }
  }

  const loop = createLoop({
    name: 'delivery reports',
    log,
    bell,
    intervalMs: IDLE_MS,
    async run(signal) {
      const rows = await store.deliveryReports.due(clock(), BATCH);
      for (const row of rows) if (!signal.aborted) await work(row);
      return rows.length === BATCH;
    },
  });
  return { ...loop, ring: () => bell.ring() };
}

function isTaken(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'conflict';
}

function isTenantGone({ message, tenant }: Deliverable): boolean {
  return message.sub_tenant_id !== null && (tenant === null || tenant.deleted_at !== null);
}
