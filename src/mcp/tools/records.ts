// Tools that read threads, templates, suppressions and events.
import { Type, type Static } from 'typebox';
import { DIRECTIONS, MESSAGE_TYPES, MODES } from '../../contract/names.js';
import { closed, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { FEED_EVENTS, type EventObject } from '../../events/event.schema.js';
import { pathPart } from '../../http/server/v1-calls.js';
import {
  THREAD_STATUSES,
  type ThreadInFullWire,
  type ThreadWire,
} from '../../messages/threads/thread.schema.js';
import { SUPPRESSION_REASONS, type SuppressionWire } from '../../suppressions/suppression.schema.js';
import type { TemplateWire } from '../../templates/template.schema.js';
import {
  cutBodies,
  defineTool,
  line,
  lineOrNull,
  listInput,
  listOutput,
  readList,
  untrusted,
  type Tool,
} from '../tool.js';
import { address, messageWithText, presentAddress, presentWithText } from './message-parts.js';

const textOrNull = nullable(Type.String());

const threadFields = {
  id: Type.String(),
  status: oneOf(THREAD_STATUSES),
  messages: Type.Integer(),
  last_direction: oneOf(DIRECTIONS),
  last_message_at: timestamp,
  sub_tenant_id: textOrNull,
  untrusted_content: untrusted({ subject: Type.String(), correspondent: address }),
};

function presentThread(thread: ThreadWire) {
  return {
    id: thread.id,
    status: thread.status,
    messages: thread.messages,
    last_direction: thread.last_direction,
    last_message_at: thread.last_message_at,
    sub_tenant_id: thread.sub_tenant_id,
    untrusted_content: {
      subject: line(thread.subject),
      correspondent: presentAddress(thread.correspondent),
    },
  };
}

const listThreads = defineTool({
  name: 'list_threads',
  title: 'List threads',
  description: 'Searches and lists conversations with correspondents, newest first.',
  operation: { method: 'GET', permission: 'send' },
  input: listInput({
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Words that a message of the thread contains in its subject, addresses, names or text, all of them. The last word may be incomplete, and double quotes enclose a phrase.',
      }),
    ),
    status: Type.Optional(Type.Array(oneOf(THREAD_STATUSES), { minItems: 1, maxItems: 2 })),
    correspondent: Type.Optional(Type.String({ minLength: 1, maxLength: 320, description: 'An address.' })),
  }),
  output: listOutput(Type.Object(threadFields)),
  run: (filters, call) => readList(call, '/v1/threads', filters, presentThread),
});

const getThread = defineTool({
  name: 'get_thread',
  title: 'Get thread',
  description:
    'Returns a thread with the text of its latest received messages. For the text of a sent message, use get_message.',
  operation: { method: 'GET', permission: 'send' },
  input: closed({ thread_id: Type.String({ maxLength: 64 }) }),
  output: Type.Object({
    ...threadFields,
    recent: Type.Array(messageWithText, { description: 'Up to 25 messages, oldest first.' }),
  }),
  async run({ thread_id: id }, { v1 }) {
    const thread = (await v1.get(`/v1/threads/${pathPart(id)}`)) as ThreadInFullWire;
    return {
      ...presentThread(thread),
      recent: thread.recent.map((message) => presentWithText(message, null, false)),
    };
  },
});

const templateFields = {
  id: Type.String(),
  slug: Type.String({ description: 'The name that send_template takes.' }),
  type: oneOf([...MESSAGE_TYPES, 'any']),
  version: Type.Integer(),
  environment: oneOf(MODES),
  sub_tenant_id: textOrNull,
  updated_at: timestamp,
};

function templateFacts({ id, slug, type, version, environment, sub_tenant_id, updated_at }: TemplateWire) {
  return { id, slug, type, version, environment, sub_tenant_id, updated_at };
}

const listTemplates = defineTool({
  name: 'list_templates',
  title: 'List templates',
  description: 'Lists saved templates, newest first.',
  operation: { method: 'GET' },
  input: listInput({
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Text in the name, slug or subject.' }),
    ),
  }),
  output: listOutput(
    Type.Object({
      ...templateFields,
      untrusted_content: untrusted({ name: Type.String(), subject: textOrNull }),
    }),
  ),
  run: (filters, call) =>
    readList(call, '/v1/templates', { ...filters, view: 'summary' }, (template: TemplateWire) => ({
      ...templateFacts(template),
      untrusted_content: { name: line(template.name), subject: lineOrNull(template.subject) },
    })),
});

const getTemplate = defineTool({
  name: 'get_template',
  title: 'Get template',
  description: 'Returns a template with its content and the variables that send_template needs.',
  operation: { method: 'GET' },
  input: closed({ template: Type.String({ minLength: 1, maxLength: 100, description: 'The slug or ID.' }) }),
  output: Type.Object({
    ...templateFields,
    untrusted_content: untrusted({
      name: Type.String(),
      variables: Type.Array(Type.String()),
      subject: textOrNull,
      text: textOrNull,
      html: textOrNull,
      truncated: Type.Boolean({ description: 'Whether a body was cut at 20,000 characters.' }),
    }),
  }),
  async run({ template: id }, { v1 }) {
    const template = (await v1.get(`/v1/templates/${pathPart(id)}`)) as TemplateWire;
    return {
      ...templateFacts(template),
      untrusted_content: {
        name: line(template.name),
        variables: template.variables.map(line),
        subject: lineOrNull(template.subject),
        ...cutBodies(template),
      },
    };
  },
});

const listSuppressions = defineTool({
  name: 'list_suppressions',
  title: 'List suppressions',
  description: 'Lists addresses that Mailkeel does not send to, newest first, with the reason.',
  operation: { method: 'GET' },
  input: listInput({
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 254, description: 'Part of the address.' })),
    reason: Type.Optional(Type.Array(oneOf(SUPPRESSION_REASONS), { minItems: 1, maxItems: 4 })),
  }),
  output: listOutput(
    Type.Object({
      id: Type.String(),
      reason: oneOf(SUPPRESSION_REASONS),
      message_id: textOrNull,
      sub_tenant_id: textOrNull,
      created_at: timestamp,
      untrusted_content: untrusted({ email: Type.String(), reply: textOrNull }),
    }),
  ),
  run: (filters, call) =>
    readList(call, '/v1/suppressions', filters, (one: SuppressionWire) => ({
      id: one.id,
      reason: one.reason,
      message_id: one.message_id,
      sub_tenant_id: one.sub_tenant_id,
      created_at: one.created_at,
      untrusted_content: { email: line(one.email), reply: lineOrNull(one.reply?.message) },
    })),
});

const MAX_EVENT_DETAILS = 2_000;
const eventItem = Type.Object({
  id: Type.String(),
  event: oneOf(FEED_EVENTS),
  occurred_at: timestamp,
  record_id: Type.String({ description: 'The message or other record that the event is about.' }),
  sub_tenant_id: textOrNull,
  sandbox: Type.Boolean(),
  untrusted_content: untrusted({
    details: Type.String({ description: 'Details as JSON, cut at 2,000 characters.' }),
  }),
});

function presentEvent(one: EventObject): Static<typeof eventItem> {
  const { id, event, occurred_at, data, sub_tenant_id, sandbox } = one;
  const details = JSON.stringify(data.metadata).slice(0, MAX_EVENT_DETAILS);
  return {
    id,
    event,
    occurred_at,
    record_id: data.id,
    sub_tenant_id,
    sandbox,
    untrusted_content: { details },
  };
}

const listEvents = defineTool({
  name: 'list_events',
  title: 'List events',
  description: 'Lists events of the environment, newest first, such as deliveries, bounces and replies.',
  operation: { method: 'GET' },
  input: listInput({
    events: Type.Optional(
      Type.Array(oneOf(FEED_EVENTS), { minItems: 1, maxItems: 30, description: 'The events to return.' }),
    ),
    since: Type.Optional(
      Type.String({ maxLength: 64, description: 'A date, or an ISO 8601 time with an offset.' }),
    ),
    until: Type.Optional(
      Type.String({ maxLength: 64, description: 'A date, or an ISO 8601 time with an offset.' }),
    ),
  }),
  output: listOutput(eventItem),
  run: ({ events, ...filters }, call) => {
    const query = { ...filters, ...(events === undefined ? {} : { events: events.join(',') }) };
    return readList(call, '/v1/events', query, presentEvent);
  },
});

export const RECORD_TOOLS: readonly Tool[] = [
  listThreads,
  getThread,
  listTemplates,
  getTemplate,
  listSuppressions,
  listEvents,
];
