// Replays the events of a period to an endpoint, in the order of the chain, in pieces that are small enough not to delay new events.
import { webhookEventName } from '../../events/event-names.rules.js';
import { Refusal } from '../../contract/refusal.js';
import { type Clock, newId } from '../../lib/runtime/index.js';
import { isOurs } from '../../lib/concurrency/index.js';
import type { Scope } from '../../database/scope.js';
import type { WebhookStores } from '../stores.js';
import type { FanOutEvent, NewWebhookDelivery } from './queue.store.js';
import type { LastDelivery } from './replays.store.js';
import { deliveryOfEvent, newDelivery, readSubjects, type Subject } from './delivery-content.js';
import { type FanOutContext, readSubscriber, takes, type Subscriber } from './fan-out.js';
import type { WebhookDelivery, WebhookEndpoint, WebhookReplay } from '../webhooks.tables.js';

/** Events that one piece reads. */
const PIECE = 500;
/** A replay waits while the endpoint has this many deliveries due. */
const MOST_DUE = 1_000;
/** Number of slices that are processed before the response, so that a short replay is complete by then. */
const FIRST_PIECES = 4;

export interface WantedReplay {
  /** Epoch ms, of the events; `until` is exclusive, and `null` for now. */
  since: number;
  until: number | null;
  /** Only events whose last delivery has this status; `null` for all without a delivery in progress. */
  status: WebhookReplay['status'];
}

export class Replays {
  readonly #context: FanOutContext;
  readonly #webhooks: WebhookStores['webhooks'];
  readonly #clock: Clock;

  constructor(context: FanOutContext) {
    this.#context = context;
    this.#webhooks = context.store.webhooks;
    this.#clock = context.clock;
  }

  /**
   * Begins a replay to an endpoint, in the environment of the scope. Repeating the request within a minute or while the replay
   * runs returns the same replay. Refused with `conflict` while the endpoint is disabled or has another replay.
   */
  async begin(
    scope: Scope,
    endpoint: WebhookEndpoint,
    { since, until, status }: WantedReplay,
  ): Promise<WebhookReplay> {
    const now = this.#clock();
    const range = { since, until: Math.min(until ?? now, now) };
    const { above, upTo } = await this.#webhooks.rangeOfTime(scope.workspaceNumber, range);
    const begun = await this.#webhooks.beginReplay({
      id: newId('whr', now),
      endpoint_id: endpoint.id,
      environment_id: scope.environmentId,
      since,
      until,
      status,
      position: above,
      end_position: upTo,
      created_at: now,
    });
    let replay = begun;
    for (let piece = 0; piece < FIRST_PIECES && (await this.#advance(replay, endpoint)); piece += 1) {
      replay = (await this.#webhooks.replay(begun.id)) ?? replay;
    }
    return (await this.#webhooks.replay(begun.id)) ?? replay;
  }

  /** Moves every replay that can continue by one piece. Returns true if one has more. */
  async run(): Promise<boolean> {
    const open = await this.#webhooks.openReplays();
    const moved: boolean[] = [];
    for (const { replay, endpoint, workspaceNumber } of open) {
      if (isOurs(this.#context.room, workspaceNumber)) moved.push(await this.#advance(replay, endpoint));
    }
    return moved.some(Boolean);
  }

  /**
   * Delivers the event of a delivery again, or returns the delivery that already does and is in progress. Refused as `begin` is,
   * and with `not_found` if there is no such delivery.
   */
  async repeat(scope: Scope, endpoint: WebhookEndpoint, deliveryId: string): Promise<WebhookDelivery> {
    const before = await this.#webhooks.delivery(scope, endpoint.id, deliveryId);
    if (!before) throw new Refusal('not_found');
    const row = newDelivery({
      endpointId: endpoint.id,
      environmentId: before.environment_id,
      position: before.event_position,
      event: before.event,
      subjectId: before.subject_id,
      payload: before.payload,
      now: this.#clock(),
    });
    const { format, body, public_id: replay_of } = before;
    const delivery = await this.#webhooks.repeatDelivery({ ...row, format, body, replay_of });
    this.#context.notifyDeliveries();
    return delivery;
  }

  /** Makes the next piece of a replay. Returns true if it can continue now. */
  async #advance(replay: WebhookReplay, endpoint: WebhookEndpoint): Promise<boolean> {
    if (replay.finished_at !== null) return false;
    const now = this.#clock();
    if ((await this.#webhooks.countDue(endpoint.id, now, MOST_DUE)) >= MOST_DUE) return false;
    const events = await this.#webhooks.eventsToReplay(replay, PIECE);
    // A requested event is sent even if the endpoint is younger than it.
    const subscriber = { ...readSubscriber(endpoint, this.#context.formats), createdAt: 0 };
    const wanted = events.filter((event) => isWanted(event, replay, subscriber));
    const before = await this.#webhooks.lastDeliveries(endpoint.id, wanted);
    const subjectOf = await readSubjects(
      this.#context,
      wanted.map((event) => ({ event, takers: [subscriber] })),
    );
    const deliveries = wanted.flatMap((event) =>
      again(event, before.get(event.position), {
        replay,
        now,
        endpoint: subscriber,
        subject: subjectOf(event),
      }),
    );
    const isEnd = events.length < PIECE;
    const to = isEnd ? replay.end_position : (events.at(-1)?.position ?? replay.end_position);
    const move = { to, deliveries, finishedAt: isEnd ? now : null };
    const hasMoved = await this.#webhooks.moveReplay(replay, move);
    if (hasMoved && deliveries.length > 0) this.#context.notifyDeliveries();
    return hasMoved && !isEnd;
  }
}

function isWanted(event: FanOutEvent, replay: WebhookReplay, subscriber: Subscriber): boolean {
  const { occurred_at: at, environment_id } = event;
  const until = replay.until ?? replay.created_at;
  if (environment_id !== replay.environment_id || at < replay.since || at >= until) return false;
  const name = webhookEventName(event);
  return name !== null && takes(subscriber, event, name);
}

/** Returns nothing if a delivery of the event is in progress, or if its last delivery ended with another status. */
function again(
  event: FanOutEvent,
  last: LastDelivery | undefined,
  { replay, ...to }: { replay: WebhookReplay; endpoint: Subscriber; now: number; subject: Subject },
): NewWebhookDelivery[] {
  if (last?.status === 'pending') return [];
  if (replay.status !== null && last?.status !== replay.status) return [];
  const name = webhookEventName(event);
  if (name === null) return [];
  const delivery = deliveryOfEvent(event, name, to);
  return delivery === null ? [] : [{ ...delivery, replay_of: last?.public_id ?? null }];
}
