// Sends a whole MIME message by HTTP, by the rules of the relay.
import { invalidFields, Refusal, type FieldProblem } from '../contract/refusal.js';
import {
  addressKey,
  addressProblem,
  envelopeAddress,
  mendLineEnds,
  rawValue,
  readEveryMailbox,
} from '../lib/mime/index.js';
import { message as messageObject } from '../messages/message.schema.js';
import { asMessage, readSubmitted, type SubmittedMail } from '../messages/relayed/submitted-mail.rules.js';
import { decodeBase64, NOT_BASE64 } from '../messages/accept/read-request.js';
import { answerAccepted, submittedBy } from '../messages/submitted-by.routes.js';
import type { Config } from '../settings/settings.js';
import type { Api } from '../http/api.js';
import { readOctets } from '../http/body/json-body.js';
import { REPLAYED } from '../http/idempotency/idempotency.js';
import { createMimeAcceptance, type AcceptanceContext, type MimeSubmission } from './accept-mail.js';
import { RFC822, rawMessageBody, rawMessageQuery, type RawMessageRequest } from './raw-message.schema.js';

interface RawMessageRoutes extends AcceptanceContext {
  config: AcceptanceContext['config'] & Pick<Config, 'messageBodyLimitBytes'>;
}

export function rawMessageRoutes(app: Api, context: RawMessageRoutes): void {
  const { config } = context;
  const accept = createMimeAcceptance(context);
  // A separate scope, because no other operation accepts this type of body.
  void app.register((scope: Api, _options, done) => {
    scope.addContentTypeParser(RFC822, readOctets);
    const validatorCompiler: typeof app.validatorCompiler = (part) =>
      part.contentType === RFC822 ? () => true : (app.validatorCompiler?.(part) ?? (() => true));
    scope.post(
      '/v1/messages/raw',
      {
        // The sender is in the message's audit trail.
        config: { permission: 'send', audit: false, idempotency: 'own' },
        bodyLimit: config.messageBodyLimitBytes,
        validatorCompiler,
        schema: {
          operationId: 'messages.createRaw',
          tags: ['Messages'],
          summary: 'Send a MIME message',
          description:
            'Sends a whole MIME message, as the SMTP relay does: the content is sent unchanged, and control fields in the header (`X-Service-Tag` and others) are honored and removed. The body is the message itself (`message/rfc822`, with the envelope in the query) or JSON with the message in base64. From, Sender and the envelope sender must be verified senders. Returns the message for the first recipient. Repeating a request with the same idempotency key (`Idempotency-Key` or `X-Service-Idempotency-Key`) returns the first response with the header `Idempotent-Replayed: true`.',
          querystring: rawMessageQuery,
          body: rawMessageBody,
          response: { 202: messageObject },
        },
      },
      async (request, reply) => {
        const { body, query, caller, id } = request;
        const { octets, to, from, given } = Buffer.isBuffer(body)
          ? { octets: body, to: query.to, from: query.from, given: {} }
          : readJson(body, query);
        const { raw, mail } = readMessage(octets, config);
        const header = request.headers['idempotency-key'];
        const accepted = await accept({
          raw,
          mail,
          envelope: readEnvelope(mail, { to, from, limit: config.relayRecipients }),
          given,
          scope: caller.scope,
          context: {
            ...submittedBy(request),
            idempotencyHeader: header === undefined ? null : String(header),
          },
          via: { protocol: 'HTTP', id },
        });
        if (accepted.replayed) reply.header(REPLAYED, 'true');
        return reply.status(202).send(answerAccepted(request, accepted));
      },
    );
    done();
  });
}

interface GivenEnvelope {
  to: string | readonly string[] | undefined;
  from: string | undefined;
}

function readJson(
  body: RawMessageRequest,
  query: Partial<GivenEnvelope>,
): GivenEnvelope & { octets: Buffer } & Pick<MimeSubmission, 'given'> {
  const misplaced = (['to', 'from'] as const).filter((name) => query[name] !== undefined);
  if (misplaced.length > 0) {
    const message = `in the query is only for bodies of the type ${RFC822}. Put it into the JSON body`;
    throw invalidFields(misplaced.map((path) => ({ path, message })));
  }
  const octets = decodeBase64(body.raw);
  if (octets === null) throw invalidFields([{ path: 'raw', message: NOT_BASE64 }]);
  return { octets, to: body.to, from: body.from, given: readOptions(body) };
}

function readOptions(body: RawMessageRequest): MimeSubmission['given'] {
  return {
    ...(body.tags === undefined ? {} : { tags: [...new Set(body.tags)] }),
    ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
    ...(body.type === undefined ? {} : { type: body.type }),
    ...(body.priority === undefined ? {} : { priority: body.priority }),
    ...(body.sub_tenant_id === undefined ? {} : { subTenant: body.sub_tenant_id }),
    ...(body.send_at === undefined ? {} : { sendAt: body.send_at }),
    ...(body.expires_at === undefined ? {} : { expiresAt: body.expires_at }),
    ...(body.require_tls === undefined ? {} : { requireTls: body.require_tls }),
    ...(body.track_opens === undefined ? {} : { trackOpens: body.track_opens }),
    ...(body.track_clicks === undefined ? {} : { trackClicks: body.track_clicks }),
  };
}

/** Reads the message like one that came by SMTP. Refuses with `validation_error` or `payload_too_large`. */
function readMessage(
  octets: Buffer,
  {
    messageSizeLimitBytes: limit,
    inboundMaxReceived,
  }: Pick<Config, 'messageSizeLimitBytes' | 'inboundMaxReceived'>,
): { raw: Buffer; mail: SubmittedMail } {
  const raw = asMessage(mendLineEnds(octets, { afterSmtp: false }));
  if (raw.length > limit) {
    throw new Refusal('payload_too_large', `The message has ${raw.length} bytes, but the limit is ${limit}.`);
  }
  const submitted = readSubmitted(raw);
  if (submitted.kind === 'refused') {
    const { code, text } = submitted.problem;
    throw code === 552
      ? new Refusal('payload_too_large', text)
      : new Refusal('validation_error', text, {
          param: 'raw',
          details: { fields: [{ path: 'raw', message: text }] },
        });
  }
  const { mail } = submitted;
  if (mail.receivedCount >= inboundMaxReceived) {
    const message = `has ${mail.receivedCount} Received fields, so it is in a mail loop`;
    throw invalidFields([{ path: 'raw', message }]);
  }
  return { raw, mail };
}

/** Recipients are named once each. Refuses with `validation_error` if there are none or too many. */
function readEnvelope(
  mail: SubmittedMail,
  { to, from, limit }: GivenEnvelope & { limit: number },
): MimeSubmission['envelope'] {
  const problems: FieldProblem[] = [];
  const named = to === undefined ? recipientsOf(mail, problems) : recipientsIn(to);
  if (named.length > limit) {
    problems.push({ path: 'to', message: `has ${named.length} recipients, but the limit is ${limit}` });
  } else if (named.length === 0 && problems.length === 0) {
    problems.push({ path: 'to', message: 'is required, because the header names no recipients' });
  }
  const recipients = new Map<string, string>();
  for (const { path, email } of named) {
    const problem = addressProblem(email, { utf8Local: true });
    if (problem !== null) problems.push({ path, message: problem });
    else recipients.set(addressKey(email), envelopeAddress(email));
  }
  const wrongSender = from === undefined ? null : addressProblem(from);
  if (wrongSender !== null) problems.push({ path: 'from', message: wrongSender });
  if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_PROBLEMS));
  return {
    mailFrom: from === undefined ? '' : envelopeAddress(from),
    recipients: [...recipients.values()].map((address) => ({
      address,
      target: null,
      notify: null,
      orcpt: null,
    })),
    requireTls: false,
    ret: null,
    envid: null,
  };
}

const MAX_PROBLEMS = 20;

interface NamedRecipient {
  path: string;
  email: string;
}

function recipientsIn(to: string | readonly string[]): NamedRecipient[] {
  return typeof to === 'string'
    ? [{ path: 'to', email: to }]
    : to.map((email, at) => ({ path: `to.${at}`, email }));
}

/** Addresses in To, Cc and Bcc. An entry without an address is a problem, because it would get no mail. */
function recipientsOf({ fields }: SubmittedMail, problems: FieldProblem[]): NamedRecipient[] {
  return fields.flatMap((field) => {
    const path = HEADER_RECIPIENTS.find((name) => name.toLowerCase() === field.name);
    if (path === undefined) return [];
    const mailboxes = readEveryMailbox(rawValue(field));
    if (mailboxes === null) problems.push({ path, message: 'has an entry without an address' });
    return (mailboxes ?? []).map(({ email }) => ({ path, email }));
  });
}

const HEADER_RECIPIENTS = ['To', 'Cc', 'Bcc'];
