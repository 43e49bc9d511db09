// Templates of Amazon SES API v2. A template's name in lower case is its slug, so names that differ only in case are the same.
import { Type, type Static } from 'typebox';
import type { TemplateWire } from '../../templates/template.schema.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import { composeMessage, joinMessage } from '../../lib/mime/index.js';
import { CONTENT, LINE } from '../bounds.js';
import { given } from '../fields.js';
import { parseJsonObject } from '../form-body.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import type { V1 } from '../v1.js';
import { placeholderProblems } from './placeholders.js';
import { fromSesHtml, toSesHtml } from '../../account-imports/dialects/ses-templates.rules.js';

export const templateName = Type.String({ minLength: 1, maxLength: 64 });
const content = closed({
  Subject: Type.Optional(CONTENT),
  Text: Type.Optional(CONTENT),
  Html: Type.Optional(CONTENT),
});
export type TemplateContent = Static<typeof content>;
const example = { TemplateContent: { Subject: 'Hello {{name}}', Html: '<p>Hello {{name}}</p>' } };

export const TEMPLATE_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/v2/email/templates',
    permission: 'full',
    isLarge: true,
    body: closed({
      TemplateName: templateName,
      TemplateContent: content,
      Tags: notHere(Type.Optional(Type.Unknown()), 'templates have no tags. Omit it'),
    }),
    example: { TemplateName: 'HelloAgain', ...example },
    async handle({ body, v1 }) {
      await createTemplate(v1, body.TemplateName, body.TemplateContent);
      return { body: {} };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v2/email/templates',
    permission: 'read',
    query: closed({
      NextToken: Type.Optional(LINE),
      PageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    }),
    async handle({ query: { NextToken, PageSize }, v1 }) {
      const { templates, next } = await listTemplates(v1, NextToken, PageSize);
      const metadata = templates.map(({ name, createdAt }) => ({
        TemplateName: name,
        CreatedTimestamp: createdAt / 1000,
      }));
      return { body: { TemplatesMetadata: metadata, ...given('NextToken', next) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v2/email/templates/:name',
    permission: 'read',
    async handle({ params: { name = '' }, v1 }) {
      const found = await getTemplate(v1, name);
      return { body: { TemplateName: found.name, TemplateContent: found.content } };
    },
  }),
  compatRoute({
    method: 'PUT',
    path: '/v2/email/templates/:name',
    permission: 'full',
    isLarge: true,
    body: closed({ TemplateContent: content }),
    example,
    async handle({ params: { name = '' }, body, v1 }) {
      await updateTemplate(v1, name, body.TemplateContent);
      return { body: {} };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/v2/email/templates/:name',
    permission: 'full',
    async handle({ params: { name = '' }, v1 }) {
      await deleteTemplate(v1, name);
      return { body: {} };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/v2/email/templates/:name/render',
    permission: 'full',
    isLarge: true,
    body: closed({ TemplateData: CONTENT }),
    example: { TemplateData: '{"name":"Ann"}' },
    async handle({ params: { name = '' }, body, v1, jsonMembers }) {
      const data = parseJsonObject(body.TemplateData, 'TemplateData', jsonMembers);
      return { body: { RenderedTemplate: await renderTemplate(v1, name, data) } };
    },
  }),
];

/** Refuses with `slug_taken`. */
export async function createTemplate(v1: V1, name: string, parts: TemplateContent): Promise<void> {
  await v1.templates.create({ name, slug: name.toLowerCase(), ...contentOf(parts) });
}

/** Replaces every part of the template. */
export async function updateTemplate(v1: V1, name: string, parts: TemplateContent): Promise<void> {
  await ofTemplate(name, v1.templates.update(name.toLowerCase(), contentOf(parts)));
}

export async function getTemplate(v1: V1, name: string) {
  const found = await ofTemplate(name, v1.templates.get(name.toLowerCase()));
  const { subject, text, html } = found;
  return {
    name: nameOf(found),
    content: {
      ...given('Subject', subject),
      ...given('Text', text),
      ...given('Html', html === null ? null : toSesHtml(html)),
    },
  };
}

export async function deleteTemplate(v1: V1, name: string): Promise<void> {
  await ofTemplate(name, v1.templates.delete(name.toLowerCase()));
}

/** Refuses with `template_not_found` if the template does not exist. */
async function ofTemplate<T>(name: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
    throw new Refusal('template_not_found', `The template ${name.slice(0, 64)} does not exist.`);
  }
}

export async function listTemplates(v1: V1, token: string | undefined, size: number | undefined) {
  const { data, next_cursor: next } = await v1.templates.list({
    view: 'summary',
    limit: size ?? 10,
    ...given('cursor', token),
  });
  const templates = data.map((one) => ({ name: nameOf(one), createdAt: Date.parse(one.created_at) }));
  return { templates, next };
}

/** Returns the rendered template as a mail. Refuses a variable without a value, as SES does. */
export async function renderTemplate(v1: V1, name: string, data: Record<string, unknown>): Promise<string> {
  const { subject, html, text, missing } = await ofTemplate(
    name,
    v1.templates.render(name.toLowerCase(), { variables: data }),
  );
  if (missing.length > 0) {
    const message = `lacks a value for ${missing.slice(0, 20).join(', ')}`;
    throw invalidFields([{ path: 'TemplateData', message }]);
  }
  const { headerLines, body } = composeMessage({
    from: { email: '', name: null },
    to: [],
    cc: [],
    replyTo: [],
    subject: subject ?? '',
    messageId: '',
    date: 0,
    html,
    text,
    attachments: [],
    headers: [],
    boundarySeed: name,
  });
  const shown = headerLines.filter((line) => !/^(Date|From|Message-ID):/.test(line));
  return joinMessage(shown, body).toString('latin1');
}

function contentOf({ Subject, Text, Html }: TemplateContent) {
  const parts = { Subject, Text, Html };
  const problems = Object.entries(parts).flatMap(([part, value]) =>
    placeholderProblems(value ?? '', `TemplateContent.${part}`),
  );
  if (problems.length > 0) throw invalidFields(problems);
  return {
    subject: Subject ?? null,
    text: Text ?? null,
    html: Html === undefined ? null : fromSesHtml(Html),
  };
}

/** Returns the template's name if it is that of its slug. */
function nameOf({ name, slug }: Pick<TemplateWire, 'name' | 'slug'>): string {
  return name.toLowerCase() === slug ? name : slug;
}

/** Returns the field of /v1 for a template with this name. */
export function templateField(name: string) {
  const slug = name.toLowerCase();
  return slug.startsWith('tpl_') ? { template_id: slug } : { template: slug };
}
