// Replays of a range: the events of a time that an endpoint would get become deliveries once more, in the order of the
// chain, a piece at a time, and never so many that what happens now has to wait long behind them.
import { webhookEventOf } from '../../events/event-names.rules.js';
import type { VendorFormats } from '../format.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { newId } from '../../lib/runtime/ids.js';
import { isOurs, type DividedRoom } from '../../lib/runtime/room.js';
import type { Scope } from '../../database/scope.js';
import type { WebhookStores } from '../stores.js';
import type { FanOutEvent, NewWebhookDelivery } from './queue.store.js';
import type { LastDelivery } from './replays.store.js';
import { createSubjects, deliveryOf, type RecordsOf, type Subject } from './delivery-content.js';
import { readSubscriber, takes, type Subscriber } from './fan-out.js';
import type { WebhookEndpoint, WebhookReplay } from '../webhooks.tables.js';

/** Events that one piece reads. */
const PIECE = 500;
/** A replay waits while the endpoint has so many deliveries that could be attempted. */
const MOST_DUE = 1_000;
/** Pieces that are made while the request waits: a short replay is over when it is answered. */
const FIRST_PIECES = 4;

export interface ReplaysDeps {
  store: Pick<WebhookStores, 'webhooks'>;
  recordsOf: RecordsOf;
  formats: VendorFormats;
  /** Of several nodes one makes the deliveries of a workspace. */
  room?: DividedRoom | undefined;
  clock: Clock;
  /** Deliveries were added. */
  onDeliveries: () => void;
}

export interface WantedReplay {
  /** Epoch ms, by the time of the events; `until` is exclusive, and null for now. */
  since: number;
  until: number | null;
  /** Only events whose last delivery ended so; null: all that were not sent, or were to the end. */
  status: WebhookReplay['status'];
}

export interface Replays {
  /**
   * Begins a replay to an endpoint of the scope, of the scope's environment. The same request within a minute, or while it
   * is under way, is the same replay. Refused with `conflict` while the endpoint is disabled or has another one.
   */
  begin(scope: Scope, endpoint: WebhookEndpoint, wanted: WantedReplay): Promise<WebhookReplay>;
  /** One run moves every replay that can go on by one piece; true when one has more. */
  run(): Promise<boolean>;
}

export function createReplays(deps: ReplaysDeps): Replays {
  const { store, formats, room, clock, onDeliveries } = deps;
  const subjectsOf = createSubjects(deps);

  /** True when it can go on at once. */
  async function advance(replay: WebhookReplay, endpoint: WebhookEndpoint): Promise<boolean> {
    if (replay.finished_at !== null) return false;
    const now = clock();
    if ((await store.webhooks.countDue(endpoint.id, now, MOST_DUE)) >= MOST_DUE) return false;
    const events = await store.webhooks.eventsToReplay(replay, PIECE);
    // A requested event is sent even when the endpoint is younger than it.
    const subscriber = { ...readSubscriber(endpoint, formats), createdAt: 0 };
    const wanted = events.filter((event) => isWanted(event, replay, subscriber));
    const before = await store.webhooks.lastDeliveries(endpoint.id, wanted);
    const subjectOf = await subjectsOf(wanted.map((event) => ({ event, takers: [subscriber] })));
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
    const hasMoved = await store.webhooks.moveReplay(replay, move);
    if (hasMoved && deliveries.length > 0) onDeliveries();
    return hasMoved && !isEnd;
  }

  return {
    async begin(scope, endpoint, { since, until, status }) {
      const now = clock();
      const range = { since, until: Math.min(until ?? now, now) };
      const { above, upTo } = await store.webhooks.rangeOfTime(scope.workspaceNumber, range);
      const begun = await store.webhooks.beginReplay({
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
      for (let piece = 0; piece < FIRST_PIECES && (await advance(replay, endpoint)); piece += 1) {
        replay = (await store.webhooks.replay(begun.id)) ?? replay;
      }
      return (await store.webhooks.replay(begun.id)) ?? replay;
    },

    async run() {
      const open = await store.webhooks.openReplays();
      const moved: boolean[] = [];
      for (const { replay, endpoint, workspaceNumber } of open)
        if (isOurs(room, workspaceNumber)) moved.push(await advance(replay, endpoint));
      return moved.some(Boolean);
    },
  };
}

function isWanted(event: FanOutEvent, replay: WebhookReplay, subscriber: Subscriber): boolean {
  const { occurred_at: at, environment_id } = event;
  const until = replay.until ?? replay.created_at;
  if (environment_id !== replay.environment_id || at < replay.since || at >= until) return false;
  const name = webhookEventOf(event);
  return name !== null && takes(subscriber, event, name);
}

/** Nothing when the event is on its way to the endpoint already, or its last delivery did not end as was asked for. */
function again(
  event: FanOutEvent,
  last: LastDelivery | undefined,
  { replay, ...to }: { replay: WebhookReplay; endpoint: Subscriber; now: number; subject: Subject },
): NewWebhookDelivery[] {
  if (last?.status === 'pending') return [];
  if (replay.status !== null && last?.status !== replay.status) return [];
  const name = webhookEventOf(event);
  if (name === null) return [];
  const delivery = deliveryOf(event, name, to);
  return delivery === null ? [] : [{ ...delivery, replay_of: last?.public_id ?? null }];
}
