// The event feed as a stream: server-sent events from a place in the chain on, for as long as the key works.
import { Type } from 'typebox';
import { eventStreamQuery } from '../events/event.schema.js';
import { Refusal } from '../contract/refusal.js';
import type { FeedContext } from './context.js';
import type { FeedEvent } from './feed.store.js';
import type { Scope } from '../database/scope.js';
import type { WantedEntries } from '../events/event-names.rules.js';
import type { Api } from '../http/api.js';
import {
  type EventSourceWriter,
  eventText,
  HEARTBEAT,
  openEventSource,
  openingText,
  placeText,
  resetText,
} from '../lib/http/index.js';
import type { EventStreams, StreamHandle } from './event-streams.js';
import type { Cursors } from '../http/lists/cursors.js';
import { readOnce } from '../http/lists/reading.js';
import { presentEvent } from './event.view.js';
import type { CallerRecheck } from '../http/access/caller.js';
import { positionAfter, resumeAfter, wantedEvents } from './events.routes.js';

/** Events that one stream reads together and holds in memory. */
const PAGE = 50;
/** Characters that are presented and written in one turn, which wait in memory for a client that does not read. */
const PIECE_CHARACTERS = 16_384;
/** Interval (ms) at which the key is checked again. */
const READMIT_MS = 1_000;
const RETRY_AFTER_SECONDS = 10;

interface Stream {
  scope: Scope;
  events: WantedEntries | null;
  position: number;
  /** The client's last event is not in this chain, so a `reset` event is sent first. */
  isReset: boolean;
  writer: EventSourceWriter;
  place: StreamHandle;
  isAdmitted: () => Promise<boolean>;
  cursors: Cursors;
}

export function eventStreamRoutes(
  app: Api,
  { store, clock, log }: Pick<FeedContext, 'store' | 'clock' | 'log'>,
  { streams, recheck }: { streams: EventStreams; recheck: CallerRecheck },
): void {
  app.addHook('preClose', () => streams.close());

  app.get(
    '/v1/events/stream',
    {
      exposeHeadRoute: false,
      config: { reading: 'stream' },
      schema: {
        operationId: 'events.stream',
        tags: ['Events'],
        summary: 'Stream events',
        description:
          'Sends events as they happen, as server-sent events for EventSource. `id` is the event ID, `event` the event name, and `data` the same JSON as in `GET /v1/events`. After a disconnect, send the last ID as `Last-Event-ID` or `after` to continue without gaps or duplicates. Without either, the stream starts with new events. A `reset` event means that a restore from a backup has undone events you have seen. Its `data` is `{"object":"event_reset","resume_after":"evt_…"}`, and the stream continues after that event.',
        querystring: eventStreamQuery,
        response: {
          200: {
            description: 'An event stream. It stays open until either side closes it.',
            content: { 'text/event-stream': { schema: Type.Unsafe<undefined>({ type: 'string' }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const events = wantedEvents(request.query.events);
      const lastSeen = request.headers['last-event-id'];
      const after =
        typeof lastSeen === 'string' && lastSeen !== ''
          ? positionAfter(request, lastSeen, 'Last-Event-ID')
          : request.query.after === undefined
            ? null
            : positionAfter(request, request.query.after, 'after');
      const head = (await store.feed.headPositions([scope.workspaceNumber])).get(scope.workspaceNumber) ?? 0;
      const resume = after === null ? null : await resumeAfter(request, store, after);
      const place = enter(streams, scope, (seconds) => void reply.header('Retry-After', String(seconds)));
      reply.hijack();
      const writer = openEventSource(reply.raw, reply.getHeaders(), () => place.leave());
      const isAdmitted = () => recheck(request);
      const stream: Stream = {
        scope,
        events,
        position: Math.min(resume?.position ?? after?.position ?? head, head),
        isReset: resume !== null,
        writer,
        place,
        isAdmitted,
        cursors: app.cursors,
      };
      writeEvents(stream, { store, clock, heartbeatMs: streams.heartbeatMs })
        .catch((error: unknown) => log.error({ err: error }, 'event stream failed'))
        .finally(() => {
          place.leave();
          writer.end();
        });
      return reply;
    },
  );
}

function enter(streams: EventStreams, scope: Scope, retryAfter: (seconds: number) => void): StreamHandle {
  try {
    return streams.enter(scope);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'rate_limited') retryAfter(RETRY_AFTER_SECONDS);
    throw error;
  }
}

/** Writes events until either side ends the stream. */
async function writeEvents(
  stream: Stream,
  { store, clock, heartbeatMs }: Pick<FeedContext, 'store' | 'clock'> & { heartbeatMs: number },
): Promise<void> {
  const { scope, events, writer, place, isAdmitted, cursors } = stream;
  let { position } = stream;
  let sent = position;
  const idAt = (at: number): string =>
    cursors.eventId(scope.workspaceNumber, { occurredAt: clock(), position: at });
  const opening = openingText(idAt(position)) + (stream.isReset ? resetText(idAt(position)) : '');
  if (!(await writer.write(opening))) return;
  let wroteAt = clock();
  let admittedAt = wroteAt;
  while (!place.signal.aborted && !writer.isGone) {
    if (clock() - admittedAt >= READMIT_MS) {
      if (!(await isAdmitted())) return;
      admittedAt = clock();
    }
    await place.turn();
    const from = { after: position, limit: PAGE, events };
    const piece = await readOnce(store, scope.workspaceId, () => store.feed.after(scope, from));
    position = piece.upTo;
    if (piece.rows.length > 0) {
      for await (const text of piecesOf(piece.rows, stream)) if (!(await writer.write(text))) return;
      sent = piece.rows.at(-1)?.position ?? sent;
      wroteAt = clock();
    } else if (clock() - wroteAt >= heartbeatMs) {
      // Sends the position, so that a reconnect does not read skipped events again.
      const text = position > sent ? HEARTBEAT + placeText(idAt(position)) : HEARTBEAT;
      if (!(await writer.write(text))) return;
      sent = position;
      wroteAt = clock();
    }
    if (piece.isEnd) await place.beyond(position);
  }
}

/** Returns the events as text. Small ones share a piece, and each piece is made in a turn of the stream. */
async function* piecesOf(
  rows: readonly FeedEvent[],
  { scope, cursors, place }: Stream,
): AsyncGenerator<string> {
  let piece = '';
  await place.turn();
  for (const row of rows) {
    if (piece.length >= PIECE_CHARACTERS) {
      yield piece;
      piece = '';
      await place.turn();
    }
    piece += eventText(presentEvent(row, scope, cursors));
  }
  if (piece !== '') yield piece;
}
