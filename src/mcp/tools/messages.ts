// Tools that find and explain messages.
import { Type, type Static } from 'typebox';
import {
  BOUNCE_CATEGORIES,
  ERROR_CATEGORIES,
  MESSAGE_STATUSES,
  MESSAGE_TYPES,
} from '../../contract/names.js';
import { closed, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { pathPart, RefusedByV1 } from '../../http/server/v1-calls.js';
import type { messageContent, MessageObject } from '../../messages/message.schema.js';
import type { ExplanationObject } from '../../outbound/explain/explanation.schema.js';
import { BOUNCE_CAUSES } from '../../outbound/outcome/bounce-class.rules.js';
import type { BounceWire } from '../../analytics/bounces.routes.js';
import {
  defineTool,
  line,
  lineOrNull,
  listInput,
  listOutput,
  readList,
  untrusted,
  type Tool,
  type ToolCall,
} from '../tool.js';
import { messageItem, messageWithText, presentMessage, presentWithText } from './message-parts.js';

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));

const searchMessages = defineTool({
  name: 'search_messages',
  title: 'Search messages',
  description:
    'Finds sent and received messages of the environment, newest first. Combine filters to narrow the result.',
  operation: { method: 'GET', permission: 'send' },
  input: listInput({
    q: text(200, 'Text in the recipient or subject.'),
    status: Type.Optional(Type.Array(oneOf(MESSAGE_STATUSES), { minItems: 1, maxItems: 20 })),
    to: text(320, 'The recipient address.'),
    from: text(320, 'The sender address.'),
    tag: text(128, 'A tag of the message.'),
    thread_id: text(64, 'The ID of a thread.'),
    campaign_id: text(64, 'The ID of a campaign.'),
    created_after: text(64, 'A date, or an ISO 8601 time with an offset.'),
    created_before: text(64, 'A date, or an ISO 8601 time with an offset.'),
  }),
  output: listOutput(messageItem),
  run: (filters, call) => readList(call, '/v1/messages', filters, presentMessage),
});

const getMessage = defineTool({
  name: 'get_message',
  title: 'Get message',
  description:
    'Returns one message with its text. To learn why it was or was not delivered, use explain_message.',
  operation: { method: 'GET', permission: 'send' },
  input: closed({
    message_id: Type.String({ maxLength: 64 }),
    include_html: Type.Optional(Type.Boolean({ default: false })),
  }),
  output: messageWithText,
  async run({ message_id: id, include_html: includeHtml = false }, { v1 }) {
    const message = (await v1.get(`/v1/messages/${pathPart(id)}`)) as MessageObject;
    const content = message.received === undefined ? await readContent(v1, id) : null;
    return presentWithText(message, content, includeHtml);
  },
});

/** Returns null if the content is no longer stored. */
async function readContent(v1: ToolCall['v1'], id: string): Promise<Static<typeof messageContent> | null> {
  try {
    return (await v1.get(`/v1/messages/${pathPart(id)}/content`)) as Static<typeof messageContent>;
  } catch (error) {
    if (error instanceof RefusedByV1 && error.type === 'not_found') return null;
    throw error;
  }
}

const explainMessage = defineTool({
  name: 'explain_message',
  title: 'Explain message',
  description:
    'Explains why a message was delivered, delayed, bounced or held: a stable code, the steps so far, the next automatic step, and advice with suggested API requests. The codes are documented in the guide "explain".',
  operation: { method: 'GET', permission: 'send' },
  input: closed({ message_id: Type.String({ maxLength: 64 }) }),
  output: Type.Object({
    message_id: Type.String(),
    status: oneOf(MESSAGE_STATUSES),
    code: Type.String({ description: 'A situation, or `deferred_`, `bounced_` or `expired_` and a cause.' }),
    next_at: nullable(timestamp),
    advice: Type.Array(
      Type.Object({
        code: Type.String(),
        requests: Type.Array(Type.Object({ operation: Type.String(), method: Type.String() })),
      }),
    ),
    untrusted_content: untrusted({
      summary: Type.String(),
      steps: Type.Array(Type.Object({ at: timestamp, code: Type.String(), text: Type.String() })),
      next: nullable(Type.String()),
      advice: Type.Array(Type.String({ description: 'The text of the advice at the same position.' })),
    }),
  }),
  async run({ message_id: id }, { v1 }) {
    const found = (await v1.get(`/v1/messages/${pathPart(id)}/explain`)) as ExplanationObject;
    return {
      message_id: found.message_id,
      status: found.status,
      code: found.code,
      next_at: found.next?.at ?? null,
      advice: found.advice.map(({ code, calls }) => ({
        code,
        requests: calls.map(({ operation, method }) => ({ operation, method })),
      })),
      // The sentences quote replies of mail servers, addresses and host names.
      untrusted_content: {
        summary: line(found.summary),
        steps: found.chain.map(({ at, code, text: step }) => ({ at, code, text: line(step) })),
        next: lineOrNull(found.next?.what),
        advice: found.advice.map((one) => line(one.text)),
      },
    };
  },
});

const listBounces = defineTool({
  name: 'list_bounces',
  title: 'List bounces',
  description: "Lists bounced messages, newest first, with the cause and the mail server's reply.",
  operation: { method: 'GET' },
  input: listInput({
    cause: Type.Optional(oneOf(BOUNCE_CAUSES)),
    category: Type.Optional(oneOf(BOUNCE_CATEGORIES)),
    campaign_id: text(64, 'The ID of a campaign.'),
    created_after: text(64, 'A date, or an ISO 8601 time with an offset.'),
    created_before: text(64, 'A date, or an ISO 8601 time with an offset.'),
  }),
  output: listOutput(
    Type.Object({
      message_id: Type.String(),
      message_type: oneOf(MESSAGE_TYPES),
      type: oneOf(['hard', 'soft']),
      category: oneOf(ERROR_CATEGORIES),
      cause: oneOf(BOUNCE_CAUSES),
      code: nullable(Type.Integer()),
      enhanced_code: nullable(Type.String()),
      campaign_id: nullable(Type.String()),
      sub_tenant_id: nullable(Type.String()),
      occurred_at: timestamp,
      untrusted_content: untrusted({
        to: Type.String(),
        subject: Type.String(),
        reply: Type.String(),
        remote_host: nullable(Type.String()),
      }),
    }),
  ),
  run: (filters, call) =>
    readList(call, '/v1/bounces', filters, (bounce: BounceWire) => ({
      message_id: bounce.message_id,
      message_type: bounce.message_type,
      type: bounce.type,
      category: bounce.category,
      cause: bounce.cause,
      code: bounce.code,
      enhanced_code: bounce.enhanced_code,
      campaign_id: bounce.campaign_id,
      sub_tenant_id: bounce.sub_tenant_id,
      occurred_at: bounce.occurred_at,
      untrusted_content: {
        to: line(bounce.to),
        subject: line(bounce.subject),
        reply: line(bounce.reply),
        remote_host: lineOrNull(bounce.remote_host),
      },
    })),
});

export const MESSAGE_TOOLS: readonly Tool[] = [searchMessages, getMessage, explainMessage, listBounces];
