// Records opens and clicks, many in one group commit, so that opening a mail does not wait for the disk. What the store
// cannot take at the moment waits for it; records without space are dropped, and the log says how many.
import { isUnavailable } from '../contract/refusal.js';
import { isErasedAddress } from '../contract/erased-address.js';
import { type MachineClients, machineClientOf } from './machine-client.rules.js';
import type { Log } from '../lib/runtime/log.js';
import type { TrackingStores } from './stores.js';
import { canonicalAddress } from '../lib/addresses/address-range.rules.js';
import { statusesThatMayBecome } from '../messages/state.rules.js';
import type { SignedLinkTarget } from '../messages/messages.store.js';
import { auditTrailEntry, auditTrailSubject } from '../events/audit-trail-entry.store.js';
import type { Change } from '../database/change.js';
import type { EventDetail } from '../events/append.store.js';
import { advanceMessage } from '../messages/message-changes.store.js';
import { messages } from '../messages/messages.tables.js';
import { update } from '../database/rows.js';

// The changes of an open or a click: status, first time, and an audit trail entry.
const MAX_USER_AGENT = 500;

interface Observation {
  event: 'opened' | 'clicked';
  /** `msg_…` */
  messageId: string;
  /** Epoch ms. */
  at: number;
  address: string;
  userAgent: string | null;
  /** Of a click: where it led. */
  link: { index: number; url: string } | null;
}

/** The changes by the observations of one message, in their order; none while it waits for its time to be sent. */
function observationPlan(
  target: SignedLinkTarget,
  observations: readonly Observation[],
  clients: MachineClients,
): Change[] {
  // Its links are known already to whoever looks at its raw form.
  const { status, scheduled_at: scheduledAt } = target.message;
  if (status === 'queued' && scheduledAt !== null && observations.every(({ at }) => at < scheduledAt))
    return [];
  const first = (event: Observation['event']): Observation | undefined =>
    observations.find((one) => one.event === event);
  return [
    ...firstTime(target, 'opened', first('opened')),
    ...firstTime(target, 'clicked', first('clicked')),
    ...observations.map((one) =>
      auditTrailEntry(auditTrailSubject(target.message, target.scope), {
        event: one.event,
        actor: 'recipient',
        at: one.at,
        detail: detailOf(one, clients),
      }),
    ),
  ];
}

/** The status moves and the time is set by the first of its kind only. */
function firstTime(
  { message }: SignedLinkTarget,
  event: Observation['event'],
  first: Observation | undefined,
): Change[] {
  const column = event === 'opened' ? 'opened_at' : 'clicked_at';
  if (first === undefined || message[column] !== null) return [];
  const { id: messageId } = message;
  return [
    advanceMessage({
      messageId,
      to: event,
      from: statusesThatMayBecome(event),
      set: { updated_at: first.at },
    }),
    // Guarded: another may have set it since the row was read.
    update(messages, { set: { [column]: first.at }, where: { id: messageId, [column]: null } }),
  ];
}

function detailOf({ address, userAgent, link }: Observation, clients: MachineClients): EventDetail {
  const machine = machineClientOf({ address, userAgent }, clients);
  const metadata = {
    ...(link === null ? {} : { url: link.url, link: link.index }),
    ...(machine === null ? {} : { machine: true, client: machine }),
  };
  const shown = userAgent === null ? '' : cleanUserAgent(userAgent);
  return {
    ip: canonicalAddress(address),
    ...(shown === '' ? {} : { user_agent: shown }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

function cleanUserAgent(text: string): string {
  return text
    .slice(0, MAX_USER_AGENT)
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim();
}

/** Company that an observation waits for. */
const GATHER_MS = 20;
/** Until the next try, while the store cannot write. */
const AGAIN_MS = 1_000;
const BATCH = 500;
const MAX_WAITING = 20_000;
/** A person waits for it. */
const PATIENCE_MS = 3_000;
/** Messages whose number of entries is remembered. */
const MAX_COUNTED = 20_000;

export interface TrackingRecorderDeps {
  store: Pick<TrackingStores, 'messages' | 'events' | 'commit'>;
  clients: MachineClients;
  /** Opens and clicks of one message that are recorded. */
  entriesPerMessage: number;
  wakeUps: { events(): void };
  log: Pick<Log, 'warn' | 'error'>;
  /** Room for what waits; 20,000 when absent. */
  maxWaiting?: number;
  /** Time (ms) that `keep` waits for a store that cannot write; 3,000 when absent. */
  patienceMs?: number;
}

export interface TrackingRecorder {
  add(observation: Observation): void;
  /** As `add`; true once it is durable, or need not be kept; false where it could not be kept in time. */
  keep(observation: Observation): Promise<boolean>;
  stop(): Promise<void>;
}

export function createTrackingRecorder(deps: TrackingRecorderDeps): TrackingRecorder {
  const { store, clients, entriesPerMessage, wakeUps, log } = deps;
  const { maxWaiting = MAX_WAITING, patienceMs = PATIENCE_MS } = deps;
  const kept = new Map<Observation, (isKept: boolean) => void>();
  let waiting: Observation[] = [];
  let forgotten = 0;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isStopped = false;
  const counts = new Map<string, number>();

  function schedule(delayMs: number): void {
    if (timer !== null || running !== null || isStopped) return;
    timer = setTimeout(() => {
      timer = null;
      running = run();
    }, delayMs);
  }

  async function run(): Promise<void> {
    let isStuck = false;
    try {
      isStuck = !(await writeWaiting());
    } finally {
      running = null;
      if (waiting.length > 0) schedule(isStuck ? AGAIN_MS : 0);
    }
  }

  /** Everything that waits, a batch at a time; false when the store cannot write. */
  async function writeWaiting(): Promise<boolean> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(batch.length);
      const left = await writeBatch(batch);
      if (left.length > 0) {
        waiting = [...left, ...waiting];
        return false;
      }
    }
    if (forgotten > 0) log.warn({ forgotten }, 'opens and clicks dropped: too many at once');
    forgotten = 0;
    return true;
  }

  /** Deliveries to try again. */
  async function writeBatch(batch: readonly Observation[]): Promise<Observation[]> {
    const byMessage = new Map<string, Observation[]>();
    for (const one of batch) {
      const others = byMessage.get(one.messageId);
      if (others) others.push(one);
      else byMessage.set(one.messageId, [one]);
    }
    const left = (await Promise.all([...byMessage].map(([id, ones]) => writeMessage(id, ones)))).flat();
    const again = new Set(left);
    for (const one of batch) if (!again.has(one)) kept.get(one)?.(true);
    if (left.length < batch.length) wakeUps.events();
    return left;
  }

  async function writeMessage(
    messageId: string,
    observations: readonly Observation[],
  ): Promise<readonly Observation[]> {
    try {
      const target = await store.messages.forToken(messageId);
      if (!target || isErasedAddress(target.message.to_email)) return [];
      const recorded = counts.get(messageId) ?? (await countEntries(target.message.id));
      const allowed = observations.slice(0, Math.max(0, entriesPerMessage - recorded));
      if (allowed.length > 0) await store.commit(observationPlan(target, allowed, clients));
      remember(messageId, recorded + allowed.length);
      return [];
    } catch (error) {
      if (isUnavailable(error)) return observations;
      // One message that cannot be written must not keep the others'; it would fail the same way again.
      log.error(
        { err: error, message_id: messageId, lost: observations.length },
        'recording opens and clicks failed',
      );
      for (const one of observations) kept.get(one)?.(false);
      return [];
    }
  }

  async function countEntries(messageRow: number): Promise<number> {
    const trail = await store.events.auditTrailOfMessage(messageRow);
    return trail.filter(({ event }) => event === 'opened' || event === 'clicked').length;
  }

  function remember(messageId: string, count: number): void {
    counts.delete(messageId);
    counts.set(messageId, count);
    const [oldest] = counts.keys();
    if (counts.size > MAX_COUNTED && oldest !== undefined) counts.delete(oldest);
  }

  /** `recorded`: the message has all entries that it may have. */
  function take(observation: Observation): 'waits' | 'recorded' | 'full' {
    if (isStopped || waiting.length >= maxWaiting) {
      forgotten += 1;
      return 'full';
    }
    if ((counts.get(observation.messageId) ?? 0) >= entriesPerMessage) return 'recorded';
    waiting.push(observation);
    return 'waits';
  }

  return {
    add(observation) {
      if (take(observation) === 'waits') schedule(GATHER_MS);
    },

    keep(observation) {
      const taken = take(observation);
      if (taken !== 'waits') return Promise.resolve(taken === 'recorded');
      return new Promise<boolean>((resolve) => {
        const end = (isKept: boolean): void => {
          clearTimeout(limit);
          kept.delete(observation);
          resolve(isKept);
        };
        const limit = setTimeout(() => end(false), patienceMs);
        kept.set(observation, end);
        // Others gather while one batch is written; nobody waits for company.
        schedule(0);
      });
    },

    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await running;
      const isWritten = await writeWaiting();
      if (!isWritten)
        log.warn({ forgotten: waiting.length }, 'opens and clicks dropped: store not available');
      waiting = [];
      for (const end of [...kept.values()]) end(false);
    },
  };
}
