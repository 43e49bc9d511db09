// The relay accepts mail that programs submit by SMTP with an API key. The envelope has the recipients, and the octets are stored
// unchanged. It answers 250 when everything is durable.
import { Refusal, type RefusalCode } from '../contract/refusal.js';
import { messageSubmitter, type Caller } from '../http/access/caller.js';
import { addressProblem } from '../lib/mime/index.js';
import { asMessage, readSubmitted } from '../messages/relayed/submitted-mail.rules.js';
import type { Envelope, ListenerHooks, ListenerSession, ServerReply } from '../lib/smtp-server/index.js';
import type { Scope } from '../database/scope.js';
import { createMimeAcceptance } from './accept-mail.js';
import type { RelayContext } from './context.js';

// SMTP replies for the refusals of the API. RFC 3463.
const PERMANENT = { code: 550, enhanced: '5.7.1' } as const;

/** Temporary refusals are 4xx, so that the client's own queue keeps the mail. */
const REPLIES: Partial<Record<RefusalCode, Pick<ServerReply, 'code' | 'enhanced'>>> = {
  quota_exceeded: { code: 452, enhanced: '4.7.1' },
  rate_limited: { code: 451, enhanced: '4.7.1' },
  unavailable: { code: 451, enhanced: '4.3.2' },
  internal_error: { code: 451, enhanced: '4.3.0' },
  validation_error: { code: 550, enhanced: '5.6.0' },
  content_required: { code: 550, enhanced: '5.6.0' },
  idempotency_key_reused: { code: 550, enhanced: '5.5.4' },
  payload_too_large: { code: 552, enhanced: '5.3.4' },
};

/** Header fields, by the field of the API. */
const FIELDS: Partial<Record<string, string>> = {
  send_at: 'X-Service-Send-At',
  expires_at: 'X-Service-Expires-At',
};

function smtpRefusal(refusal: Refusal): ServerReply {
  const { details } = refusal;
  const fields = details?.['fields'];
  const text = Array.isArray(fields)
    ? (fields as { path: string; message: string }[])
        .map(({ path, message }) => `${FIELDS[path] ?? path} ${message}`)
        .join('; ')
    : refusal.message;
  return { ...(REPLIES[refusal.code] ?? PERMANENT), text: text.replace(/[^\x20-\x7e]+/g, '?').slice(0, 400) };
}

export interface RelayAccount {
  scope: Scope;
  /** Finds the caller again; null if the key was revoked or has expired during the session. */
  currentCaller: () => Promise<Caller | null>;
}

type RelaySession = ListenerSession<RelayAccount>;

export function relayHooks(context: RelayContext): ListenerHooks<RelayAccount, null> {
  const accept = createMimeAcceptance(context);
  return {
    storageIsFull: context.isStorageFull,

    async authenticate({ password }, session) {
      const { address } = session.client;
      const found = await findCaller(context, password, address);
      if (found === null || 'refusal' in found) return found;
      const currentCaller = async (): Promise<Caller | null> => {
        const again = await findCaller(context, password, address);
        return again !== null && 'actor' in again ? again : null;
      };
      return {
        account: { scope: found.scope, currentCaller },
        owner: found.scope.workspaceId,
      };
    },

    async mailFrom(_sender, _parameters, { account }) {
      return account !== null && (await account.currentCaller()) !== null ? null : KEY_ENDED;
    },

    rcptTo(address) {
      // The listener takes an address beyond ASCII only with SMTPUTF8.
      const problem = addressProblem(address, { utf8Local: true });
      return problem === null
        ? { target: null }
        : {
            refusal: { code: 553, enhanced: '5.1.3', text: `Recipient address not allowed. ${problem}` },
          };
    },

    async data(raw, envelope, session) {
      try {
        return await submit(accept, raw, envelope, session);
      } catch (error) {
        if (error instanceof Refusal) return smtpRefusal(error);
        throw error;
      }
    },
  };
}

const KEY_ENDED: ServerReply = { code: 530, enhanced: '5.7.0', text: 'The API key is no longer valid' };

/** Finds the caller with the secret, or the reason why it cannot be used here. */
async function findCaller(
  { credentials, clock }: Pick<RelayContext, 'credentials' | 'clock'>,
  secret: string,
  clientAddress: string,
): Promise<Caller | { refusal: ServerReply } | null> {
  const key = await credentials.find(secret);
  if (key === null || (key.expiresAt !== null && key.expiresAt <= clock())) return null;
  const refusal = (text: string) => ({ refusal: { code: 535, enhanced: '5.7.1', text } });
  if (key.allowsAddress?.(clientAddress) === false)
    return refusal("The API key can't be used from this IP address");
  if (key.caller.permission === 'read') return refusal('The API key does not have permission to send');
  credentials.noteUse(key.caller.actor.id);
  return key.caller;
}

async function submit(
  accept: ReturnType<typeof createMimeAcceptance>,
  octets: Buffer,
  envelope: Envelope<null>,
  session: RelaySession,
): Promise<ServerReply> {
  const { account } = session;
  const caller = account === null ? null : await account.currentCaller();
  if (account === null || caller === null) return KEY_ENDED;
  const raw = asMessage(octets);
  const submitted = readSubmitted(raw);
  if (submitted.kind === 'refused') return submitted.problem;
  const { message, copies } = await accept({
    raw,
    mail: submitted.mail,
    envelope,
    given: {},
    scope: account.scope,
    context: { ...messageSubmitter(caller), actor: 'api_key', idempotencyHeader: null },
    via: session,
  });
  const ids = [message, ...copies].map(({ public_id: id }) => id);
  const more = ids.length > 3 ? ` and ${ids.length - 3} more` : '';
  return { code: 250, enhanced: '2.0.0', text: `Queued as ${ids.slice(0, 3).join(', ')}${more}` };
}
