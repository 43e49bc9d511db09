// Receives webhooks: checks the signature, keeps the event, answers, and works afterwards.
import express from 'express';
import { SignatureError, webhooks, type WebhookEvent } from '@mailkeel/sdk';
import { openInbox } from './inbox.ts';

const { WEBHOOK_SECRET = '', EVENTS_FILE = 'events.ndjson', PORT = '3000' } = process.env;
// Two while one of them is being replaced.
const secrets = WEBHOOK_SECRET.split(',').filter(Boolean);
if (secrets.length === 0) throw new Error('Set WEBHOOK_SECRET to the secret of the webhook endpoint.');

/** What you do with an event. It may throw: then it is done again after the next start. */
function handle(event: WebhookEvent): void {
  const isLastMail = event.event === 'message.bounced' || event.event === 'message.complained';
  console.log(`${event.data.id}: ${event.event}${isLastMail ? ', do not write to this address again' : ''}`);
}

/**
 * The same for an event however often and on whatever way it comes. It is made of what is signed; the header Service-Delivery
 * is not, and a replay has another one.
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

// `raw` and not `json`: the signature is over the octets that came in, and parsed JSON written again has others.
app.post('/webhooks/mailkeel', express.raw({ type: () => true, limit: '1mb' }), async (request, response) => {
  let event: WebhookEvent;
  try {
    // Without a body Express leaves `request.body` undefined.
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
  // Answer before the work: whoever takes longer than ten seconds is sent the event again.
  response.status(204).end();
  if (isNew) await work(key, event);
});

for (const [key, event] of inbox.unfinished) await work(key, event);
const server = app.listen(Number(PORT), () => {
  const address = server.address();
  console.log(`Listening on port ${typeof address === 'object' ? (address?.port ?? PORT) : PORT}`);
});
