// Records opens and clicks in group commits, so that a request does not wait for the disk. Records wait while the store is
// unavailable. If there are too many, the others are dropped and their number is logged.
import type { TrackingContext } from './context.js';
import { isUnavailable } from '../contract/refusal.js';
import { isErasedAddress } from '../contract/erased-address.js';
import { type MachineClients, findMachineClient } from './machine-client.rules.js';
import type { TrackingStores } from './stores.js';
import { canonicalAddress } from '../lib/addresses/index.js';
import { statusesThatMayBecome } from '../messages/state.rules.js';
import type { SignedLinkTarget } from '../messages/messages.store.js';
import { auditTrailEntry, auditTrailSubject } from '../events/audit-trail-entry.store.js';
import type { Change } from '../database/change.js';
import type { EventDetail } from '../events/append.store.js';
import { advanceMessage } from '../messages/message-changes.store.js';
import { messages } from '../messages/messages.tables.js';
import { update } from '../database/rows.js';

const MAX_USER_AGENT = 500;

interface Observation {
  event: 'opened' | 'clicked';
  /** `msg_…` */
  messageId: string;
  /** Epoch ms. */
  at: number;
  address: string;
  userAgent: string | null;
  /** Target of a click. */
  link: { index: number; url: string } | null;
}

/** Returns the changes by the observations of one message, in order. A scheduled message has none. */
function observationPlan(
  target: SignedLinkTarget,
  observations: readonly Observation[],
  clients: MachineClients,
): Change[] {
  // A user who downloads a scheduled message can follow its links.
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
        detail: trailDetail(one, clients),
      }),
    ),
  ];
}

/** Changes the status and the time at the first observation of its kind. */
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
    // The condition guards against another observation since the row was read.
    update(messages, { set: { [column]: first.at }, where: { id: messageId, [column]: null } }),
  ];
}

function trailDetail({ address, userAgent, link }: Observation, clients: MachineClients): EventDetail {
  const machine = findMachineClient({ address, userAgent }, clients);
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

/** Time (ms) in which observations are collected. */
const GATHER_MS = 20;
/** Time (ms) until the next attempt while the store is unavailable. */
const AGAIN_MS = 1_000;
const BATCH = 500;
const MAX_WAITING = 20_000;
/** Time (ms) that a click waits for the store. */
const PATIENCE_MS = 3_000;
/** Number of messages whose entries are counted in memory. */
const MAX_COUNTED = 20_000;

export interface RecorderOptions {
  clients: MachineClients;
  /** Most opens and clicks that wait. Default: 20,000. */
  maxWaiting?: number;
  /** Time (ms) that `keep` waits for a store that cannot write. Default: 3,000. */
  patienceMs?: number;
}

export class TrackingRecorder {
  readonly #store: TrackingStores;
  readonly #clients: MachineClients;
  readonly #entriesPerMessage: number;
  readonly #wakeUps: TrackingContext['wakeUps'];
  readonly #log: TrackingContext['log'];
  readonly #maxWaiting: number;
  readonly #patienceMs: number;
  readonly #kept = new Map<Observation, (isKept: boolean) => void>();
  #waiting: Observation[] = [];
  #forgotten = 0;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #isStopped = false;
  readonly #counts = new Map<string, number>();

  constructor(
    { store, config, wakeUps, log }: Pick<TrackingContext, 'store' | 'config' | 'wakeUps' | 'log'>,
    { clients, maxWaiting = MAX_WAITING, patienceMs = PATIENCE_MS }: RecorderOptions,
  ) {
    this.#store = store;
    this.#clients = clients;
    this.#entriesPerMessage = config.trackingEventsPerMessage;
    this.#wakeUps = wakeUps;
    this.#log = log;
    this.#maxWaiting = maxWaiting;
    this.#patienceMs = patienceMs;
  }

  add(observation: Observation): void {
    if (this.#take(observation) === 'waits') this.#schedule(GATHER_MS);
  }

  /** Adds a record. Resolves to true when it is durable or not needed, and to false if it could not be stored in time. */
  keep(observation: Observation): Promise<boolean> {
    const taken = this.#take(observation);
    if (taken !== 'waits') return Promise.resolve(taken === 'recorded');
    return new Promise<boolean>((resolve) => {
      const end = (isKept: boolean): void => {
        clearTimeout(limit);
        this.#kept.delete(observation);
        resolve(isKept);
      };
      const limit = setTimeout(() => end(false), this.#patienceMs);
      this.#kept.set(observation, end);
      // Clicks are written immediately, because a person waits.
      this.#schedule(0);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#running;
    const isWritten = await this.#writeWaiting();
    if (!isWritten)
      this.#log.warn({ forgotten: this.#waiting.length }, 'opens and clicks dropped: store not available');
    this.#waiting = [];
    for (const end of [...this.#kept.values()]) end(false);
  }

  #schedule(delayMs: number): void {
    if (this.#timer !== null || this.#running !== null || this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#running = this.#run();
    }, delayMs);
  }

  async #run(): Promise<void> {
    let isStuck = false;
    try {
      isStuck = !(await this.#writeWaiting());
    } finally {
      this.#running = null;
      if (this.#waiting.length > 0) this.#schedule(isStuck ? AGAIN_MS : 0);
    }
  }

  /** Writes waiting records in batches. Returns false if the store is unavailable. */
  async #writeWaiting(): Promise<boolean> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      this.#waiting = this.#waiting.slice(batch.length);
      const left = await this.#writeBatch(batch);
      if (left.length > 0) {
        this.#waiting = [...left, ...this.#waiting];
        return false;
      }
    }
    if (this.#forgotten > 0)
      this.#log.warn({ forgotten: this.#forgotten }, 'opens and clicks dropped: too many at once');
    this.#forgotten = 0;
    return true;
  }

  /** Returns observations to try again. */
  async #writeBatch(batch: readonly Observation[]): Promise<Observation[]> {
    const byMessage = new Map<string, Observation[]>();
    for (const one of batch) {
      const others = byMessage.get(one.messageId);
      if (others) others.push(one);
      else byMessage.set(one.messageId, [one]);
    }
    const left = (await Promise.all([...byMessage].map(([id, ones]) => this.#writeMessage(id, ones)))).flat();
    const again = new Set(left);
    for (const one of batch) if (!again.has(one)) this.#kept.get(one)?.(true);
    if (left.length < batch.length) this.#wakeUps.events();
    return left;
  }

  async #writeMessage(
    messageId: string,
    observations: readonly Observation[],
  ): Promise<readonly Observation[]> {
    try {
      const target = await this.#store.messages.forToken(messageId);
      if (!target || isErasedAddress(target.message.to_email)) return [];
      const recorded = this.#counts.get(messageId) ?? (await this.#countEntries(target.message.id));
      const allowed = observations.slice(0, Math.max(0, this.#entriesPerMessage - recorded));
      if (allowed.length > 0) await this.#store.commit(observationPlan(target, allowed, this.#clients));
      this.#remember(messageId, recorded + allowed.length);
      return [];
    } catch (error) {
      if (isUnavailable(error)) return observations;
      // A message that cannot be written must not block the others. A retry would fail in the same way.
      this.#log.error(
        { err: error, message_id: messageId, lost: observations.length },
        'recording opens and clicks failed',
      );
      for (const one of observations) this.#kept.get(one)?.(false);
      return [];
    }
  }

  async #countEntries(messageRow: number): Promise<number> {
    const trail = await this.#store.events.auditTrailOfMessage(messageRow);
    return trail.filter(({ event }) => event === 'opened' || event === 'clicked').length;
  }

  #remember(messageId: string, count: number): void {
    this.#counts.delete(messageId);
    this.#counts.set(messageId, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MAX_COUNTED && oldest !== undefined) this.#counts.delete(oldest);
  }

  /** `recorded`: the message has all entries that it may have. */
  #take(observation: Observation): 'waits' | 'recorded' | 'full' {
    if (this.#isStopped || this.#waiting.length >= this.#maxWaiting) {
      this.#forgotten += 1;
      return 'full';
    }
    if ((this.#counts.get(observation.messageId) ?? 0) >= this.#entriesPerMessage) return 'recorded';
    this.#waiting.push(observation);
    return 'waits';
  }
}
