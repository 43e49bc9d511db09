// Receives webhooks: checks the signature, stores the event, answers, and then handles the event.
import express from 'express';
import { SignatureError, webhooks, type WebhookEvent } from '@mailkeel/sdk';
import { openInbox } from './inbox.ts';

const { WEBHOOK_SECRET = '', EVENTS_FILE = 'events.ndjson', PORT = '3000' } = process.env;
// Set two secrets while you replace one of them.
const secrets = WEBHOOK_SECRET.split(',').filter(Boolean);
if (secrets.length === 0) throw new Error('Set WEBHOOK_SECRET to the secret of the webhook endpoint.');

/** Your code for an event. If it throws, the receiver calls it again after the next start. */
function handle(event: WebhookEvent): void {
  const isLastMail = event.event === 'message.bounced' || event.event === 'message.complained';
  console.log(`${event.data.id}: ${event.event}${isLastMail ? ', do not write to this address again' : ''}`);
}

/**
 * Returns the same key each time an event arrives. The key uses only signed fields. The header Service-Delivery is not signed, and
 * changes when an event is replayed.
 */
function keyOf({ event, data, occurred_at }: WebhookEvent): string {
  return `${event} ${data.id} ${occurred_at}`;
}

const inbox = await openInbox(EVENTS_FILE);

async function work(key: string, event: WebhookEvent): Promise<void> {
  try {
    handle(event);
    await inbox.done(key);
  } catch (error) {
    console.error(`${key} is left for the next start:`, error);
  }
}

const app = express();

// Use `raw` instead of `json`: the signature covers the bytes that arrived, and serializing parsed JSON gives other bytes.
app.post('/webhooks/mailkeel', express.raw({ type: () => true, limit: '1mb' }), async (request, response) => {
  let event: WebhookEvent;
  try {
    // Express leaves `request.body` undefined if there is no body.
    event = await webhooks.verify(
      Buffer.isBuffer(request.body) ? request.body : '',
      request.headers,
      secrets,
    );
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    response.status(400).json({ message: error.message });
    return;
  }
  const key = keyOf(event);
  const isNew = await inbox.put(key, event);
  // Answer before the work: the appliance sends an event again if the answer takes longer than ten seconds.
  response.status(204).end();
  if (isNew) await work(key, event);
});

for (const [key, event] of inbox.unfinished) await work(key, event);
const server = app.listen(Number(PORT), () => {
  const address = server.address();
  console.log(`Listening on port ${typeof address === 'object' ? (address?.port ?? PORT) : PORT}`);
});
