// SendGrid's dynamic templates. Only the newest version of a template is active.
import { randomBytes } from 'node:crypto';
import { Type, type Static } from 'typebox';
import type { TemplateWire } from '../../templates/template.schema.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import { CONTENT, LINE } from '../bounds.js';
import { given } from '../fields.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import type { V1 } from '../v1.js';

/** HTML of a template without a version. It cannot be sent, because it has no subject. */
const EMPTY = '<p></p>';
const generation = Type.Optional(Type.Literal('dynamic'));
const optionalLine = Type.Optional(LINE);
const version = closed({
  name: optionalLine,
  subject: optionalLine,
  html_content: Type.Optional(CONTENT),
  plain_content: Type.Optional(CONTENT),
  generate_plain_content: Type.Optional(Type.Boolean()),
  active: Type.Optional(
    Type.Union([
      Type.Literal(1),
      notHere(Type.Literal(0), 'a template has a single version, which is active. Use 1 or omit it'),
    ]),
  ),
  template_id: optionalLine,
  editor: Type.Optional(
    Type.Union([
      Type.Literal('code'),
      notHere(Type.Literal('design'), 'templates are always edited as code. Use code or omit it'),
    ]),
  ),
  test_data: notHere(
    Type.Optional(Type.Unknown()),
    'is not stored. To try a template, use POST /v1/templates/:id/render',
  ),
});

export const TEMPLATE_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/v3/templates',
    permission: 'full',
    body: closed({ name: LINE, generation }),
    example: { name: 'Hello again', generation: 'dynamic' },
    async handle({ body, v1 }) {
      return {
        status: 201,
        body: templateOf(await v1.templates.create({ name: body.name, slug: newSlug(), html: EMPTY })),
      };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/templates',
    permission: 'read',
    query: closed({
      generations: generation,
      page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      page_token: optionalLine,
    }),
    async handle({ query: { page_size, page_token }, v1, baseUrl }) {
      const { data, next_cursor: next } = await v1.templates.list({
        limit: page_size ?? 100,
        ...given('cursor', page_token),
      });
      const self = `${baseUrl}/v3/templates`;
      const links = next === null ? { self } : { self, next: `${self}?page_token=${next}` };
      return { body: { result: data.map(templateOf), templates: data.map(templateOf), _metadata: links } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/templates/:id',
    permission: 'read',
    async handle({ params: { id = '' }, v1 }) {
      return { body: templateOf(await v1.templates.get(id)) };
    },
  }),
  compatRoute({
    method: 'PATCH',
    path: '/v3/templates/:id',
    permission: 'full',
    body: closed({ name: LINE }),
    example: { name: 'Hello once more' },
    async handle({ params: { id = '' }, body, v1 }) {
      return { body: templateOf(await v1.templates.update(id, { name: body.name })) };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/v3/templates/:id',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      await v1.templates.delete(id);
      return { status: 204 };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/v3/templates/:id/versions',
    permission: 'full',
    isLarge: true,
    body: version,
    example: { name: 'Two', subject: 'Hello {{name}}', html_content: '<p>Hello {{name}}</p>' },
    async handle({ params: { id = '' }, body, v1 }) {
      if (body.template_id !== undefined && body.template_id !== id) {
        throw invalidFields([{ path: 'template_id', message: 'does not match the ID in the path. Omit it' }]);
      }
      const changed = await v1.templates.update(id, contentOf(body));
      return { status: 201, body: { ...versionOf(changed), name: body.name ?? versionOf(changed).name } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/templates/:id/versions/:version',
    permission: 'read',
    async handle({ params: { id = '', version: wanted = '' }, v1 }) {
      return { body: versionOf(await currentVersion(v1, id, wanted)) };
    },
  }),
  compatRoute({
    method: 'PATCH',
    path: '/v3/templates/:id/versions/:version',
    permission: 'full',
    isLarge: true,
    body: closed({
      name: optionalLine,
      subject: optionalLine,
      html_content: Type.Optional(CONTENT),
      plain_content: Type.Optional(CONTENT),
    }),
    example: { subject: 'Good day {{name}}' },
    async handle({ params: { id = '', version: wanted = '' }, body, v1 }) {
      await currentVersion(v1, id, wanted);
      const changed = await v1.templates.update(id, {
        ...given('subject', body.subject),
        ...given('html', body.html_content),
        ...given('text', body.plain_content),
      });
      return { body: { ...versionOf(changed), ...given('name', body.name) } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/v3/templates/:id/versions/:version/activate',
    permission: 'full',
    async handle({ params: { id = '', version: wanted = '' }, v1 }) {
      return { body: versionOf(await currentVersion(v1, id, wanted)) };
    },
  }),
];

/** Returns the template if this is its version. Refuses with `not_found` for earlier ones, which are not active. */
async function currentVersion(v1: V1, id: string, wanted: string): Promise<TemplateWire> {
  const template = await v1.templates.get(id);
  if (versionOf(template).id !== wanted) throw new Refusal('not_found');
  return template;
}

/**
 * Returns the content of a version, which replaces every part of the template. If it has no text, the text is derived from the
 * HTML.
 */
function contentOf({
  subject,
  html_content: html,
  plain_content: text,
  generate_plain_content: isGenerated,
}: Static<typeof version>) {
  if (isGenerated === false && text === undefined) {
    const message = 'mail always has a plain-text part. Set plain_content or omit this field';
    throw invalidFields([{ path: 'generate_plain_content', message }]);
  }
  return {
    subject: subject ?? null,
    html: html ?? null,
    text: isGenerated === true ? null : (text ?? null),
  };
}

/** Id prefix by which clients recognize a dynamic template; they fill no others. */
const BEGINNING = 'd-';

function newSlug(): string {
  return `${BEGINNING}${randomBytes(16).toString('hex')}`;
}

function idOf({ id, slug }: TemplateWire): string {
  return slug.startsWith(BEGINNING) ? slug : id;
}

function versionOf(template: TemplateWire) {
  return {
    id: `${template.id}:${template.version}`,
    template_id: idOf(template),
    active: 1,
    name: `Version ${template.version}`,
    subject: template.subject ?? '',
    html_content: template.html ?? '',
    plain_content: template.text ?? '',
    updated_at: template.updated_at,
  };
}

function templateOf(template: TemplateWire) {
  return {
    id: idOf(template),
    name: template.name,
    generation: 'dynamic',
    updated_at: template.updated_at,
    versions: template.html === EMPTY ? [] : [versionOf(template)],
  };
}
