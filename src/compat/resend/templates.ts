// Resend's templates. There are no drafts: saved changes apply immediately, and publishing has no effect.
import { Type, type Static } from 'typebox';
import type { TemplateWire } from '../../templates/template.schema.js';
import { invalidFields } from '../../contract/refusal.js';
import { closed, nullable, oneOf } from '../../contract/schema.js';
import { CONTENT, LINE } from '../bounds.js';
import { given, without } from '../fields.js';
import { pageById } from '../pages.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import { DEFAULT_LIMIT, listQuery } from './emails.js';

const SENDER = 'templates do not have a sender. Set it in each email';

const fields = {
  name: Type.Optional(LINE),
  subject: Type.Optional(nullable(LINE)),
  html: Type.Optional(CONTENT),
  text: Type.Optional(nullable(CONTENT)),
  alias: Type.Optional(LINE),
  from: notHere(Type.Optional(Type.Unknown()), SENDER),
  reply_to: notHere(Type.Optional(Type.Unknown()), SENDER),
  variables: Type.Optional(
    Type.Array(
      closed({
        key: LINE,
        type: Type.Optional(
          Type.Union([
            Type.Literal('string'),
            notHere(
              oneOf(['number', 'boolean', 'object', 'list']),
              'variables are not typed. Use string or omit it',
            ),
          ]),
        ),
        fallback_value: notHere(
          Type.Optional(Type.Unknown()),
          'put the fallback into the template, as in {{#if name}}{{name}}{{else}}there{{/if}}, or set the variable in each email',
        ),
      }),
      { maxItems: 1000 },
    ),
  ),
};
const update = closed(fields);
const create = closed({ ...fields, name: LINE, html: CONTENT });

export const TEMPLATE_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/templates',
    permission: 'full',
    isLarge: true,
    body: create,
    example: { name: 'Hello again', html: '<p>Hello {{{first_name}}}</p>', subject: 'Hello' },
    async handle({ body, v1 }) {
      refuseUnused(body.variables, body);
      const { id } = await v1.templates.create(contentOf(body));
      return { status: 201, body: { object: 'template', id } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/templates',
    permission: 'read',
    query: listQuery,
    async handle({ query, v1 }) {
      const { limit = DEFAULT_LIMIT, after, before } = query;
      const { items, hasMore } = await pageById(
        { list: v1.templates.list, find: v1.templates.get },
        { limit, after, before },
      );
      const data = items.map((one) => {
        const { id, name, status, published_at, created_at, updated_at, alias } = templateOf(one);
        return { id, name, status, published_at, created_at, updated_at, alias };
      });
      return { body: { object: 'list', has_more: hasMore, data } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/templates/:id',
    permission: 'read',
    async handle({ params: { id = '' }, v1 }) {
      return { body: { object: 'template', ...templateOf(await v1.templates.get(id)) } };
    },
  }),
  compatRoute({
    method: 'PATCH',
    path: '/templates/:id',
    permission: 'full',
    isLarge: true,
    body: update,
    example: { subject: 'Hello again' },
    async handle({ params: { id = '' }, body, v1 }) {
      if (body.variables !== undefined)
        refuseUnused(body.variables, { ...(await v1.templates.get(id)), ...body });
      const updated = await v1.templates.update(id, contentOf(body));
      return { body: { object: 'template', id: updated.id } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/templates/:id/publish',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      return { body: { object: 'template', id: (await v1.templates.get(id)).id } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/templates/:id',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      const { id: deleted } = await v1.templates.delete(id);
      return { body: { object: 'template', id: deleted, deleted: true } };
    },
  }),
];

/** Refuses declared variables that the content does not use, because the content defines a template's variables. */
function refuseUnused(
  variables: Static<typeof update>['variables'],
  { subject, html, text }: Partial<Pick<TemplateWire, 'subject' | 'html' | 'text'>>,
): void {
  const placeholders = [subject, html, text].flatMap((part) =>
    (part ?? '').split('{{').flatMap((rest, at) => (at === 0 ? [] : rest.split('}}', 1))),
  );
  const used = new Set(placeholders.flatMap((placeholder) => placeholder.split(/[^\p{L}\p{N}_-]+/u)));
  const problems = (variables ?? []).flatMap(({ key }, at) =>
    used.has(key) ? [] : [{ path: `variables.${at}.key`, message: 'is not used in the content. Omit it' }],
  );
  if (problems.length > 0) throw invalidFields(problems.slice(0, 20));
}

function contentOf(body: Static<typeof update>): Record<string, unknown> {
  return { ...without(body, 'variables', 'alias'), ...given('slug', body.alias) };
}

function templateOf(template: TemplateWire) {
  return {
    id: template.id,
    name: template.name,
    alias: template.slug,
    subject: template.subject,
    html: template.html,
    text: template.text,
    from: null,
    reply_to: null,
    variables: template.variables.map((key) => ({ key, type: 'string', fallback_value: null })),
    status: 'published',
    published_at: template.updated_at,
    created_at: template.created_at,
    updated_at: template.updated_at,
    has_unpublished_versions: false,
    current_version_id: `${template.id}:${template.version}`,
  };
}
