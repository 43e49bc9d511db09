// Mailgun's templates, identified by lower-case name, which is the slug. A template has a single version, the current one.
import { Type } from 'typebox';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import type { TemplateWire } from '../../templates/template.schema.js';
import { LINE } from '../bounds.js';
import { given, without } from '../fields.js';
import { toForm, parseJsonObject, readSingle, type TakenFields } from '../form-body.js';
import { compatRoute, type CompatRoute } from '../route.js';
import type { V1 } from '../v1.js';

const CREATE: TakenFields = {
  name: true,
  template: true,
  engine: true,
  headers: true,
  description: 'template descriptions are not supported. Omit it',
  tag: 'versions are numbered automatically. Omit it',
  comment: 'version comments are not supported. Omit it',
  createdBy: 'is not stored. Omit it',
};
const NEW_VERSION: TakenFields = { ...CREATE, name: 'is set in the path. Omit it', active: true };
const ONE_VERSION = 'must be yes because a template has a single active version';
/** HTML of a template without a version. It cannot be sent, because it has no subject. */
const EMPTY = '<p></p>';

export const TEMPLATE_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/v3/:domain/templates',
    permission: 'full',
    isLarge: true,
    body: Type.Unknown(),
    form: CREATE,
    example: { name: 'welcome-again', template: '<p>Hello {{name}}</p>' },
    async handle({ body, v1 }) {
      const { name, html, subject } = fieldsOf(body);
      if (name === undefined) throw invalidFields([{ path: 'name', message: 'is required' }]);
      const content = { html: html ?? EMPTY, ...given('subject', subject) };
      const made = await v1.templates.create({ name, slug: name.toLowerCase(), ...content });
      return { body: { message: 'template has been stored', template: templateOf(made) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/:domain/templates',
    permission: 'read',
    query: closed({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      page: Type.Optional(Type.Union([Type.Literal('next'), Type.Literal('first')])),
      p: Type.Optional(LINE),
    }),
    async handle({ params: { domain = '' }, query: { limit = 100, page, p }, v1, baseUrl }) {
      if (page === 'first' && p !== undefined) {
        throw invalidFields([{ path: 'p', message: 'does not start at the first page. Omit it' }]);
      }
      const { data, next_cursor: next } = await v1.templates.list({ limit, ...given('cursor', p) });
      const first = `${baseUrl}/v3/${encodeURIComponent(domain)}/templates?limit=${limit}`;
      const at = (cursor: string): string => `${first}&page=next&p=${encodeURIComponent(cursor)}`;
      const own = p === undefined ? first : at(p);
      const paging = { first, last: first, previous: first, next: next === null ? own : at(next) };
      return { body: { items: data.map(templateOf), paging } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/:domain/templates/:name',
    permission: 'read',
    query: closed({ active: Type.Optional(LINE) }),
    async handle({ params: { name = '' }, query: { active }, v1 }) {
      const template = await v1.templates.get(name.toLowerCase());
      const version = active === undefined ? {} : { version: versionOf(template) };
      return { body: { template: { ...templateOf(template), ...version } } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/v3/:domain/templates/:name/versions',
    permission: 'full',
    isLarge: true,
    body: Type.Unknown(),
    form: NEW_VERSION,
    example: { template: '<p>Good day {{name}}</p>', active: 'yes' },
    async handle({ params: { name = '' }, body, v1 }) {
      const { html, subject, active } = fieldsOf(body);
      if (active !== 'yes') {
        throw invalidFields([{ path: 'active', message: ONE_VERSION }]);
      }
      const changed = await v1.templates.update(name.toLowerCase(), {
        ...given('html', html),
        ...given('subject', subject),
      });
      const template = { ...templateOf(changed), version: { tag: String(changed.version), active: true } };
      return { body: { message: 'new version of the template has been stored', template } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/:domain/templates/:name/versions',
    permission: 'read',
    async handle({ params: { domain = '', name = '' }, v1, baseUrl }) {
      const template = await v1.templates.get(name.toLowerCase());
      const own = `${baseUrl}/v3/${encodeURIComponent(domain)}/templates/${encodeURIComponent(name)}/versions`;
      const paging = { first: own, last: own, previous: own, next: own };
      const versions = [without(versionOf(template), 'template')];
      return { body: { template: { ...templateOf(template), versions }, paging } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/:domain/templates/:name/versions/:version',
    permission: 'read',
    async handle({ params: { name = '', version = '' }, v1 }) {
      const template = await currentVersion(v1, name, version);
      return { body: { template: { ...templateOf(template), version: versionOf(template) } } };
    },
  }),
  compatRoute({
    method: 'PUT',
    path: '/v3/:domain/templates/:name/versions/:version',
    permission: 'full',
    isLarge: true,
    body: Type.Unknown(),
    form: NEW_VERSION,
    example: { template: '<p>Good day {{name}}</p>' },
    async handle({ params: { name = '', version = '' }, body, v1 }) {
      const { html, subject, active = 'yes' } = fieldsOf(body);
      if (active !== 'yes') throw invalidFields([{ path: 'active', message: ONE_VERSION }]);
      await currentVersion(v1, name, version);
      const changed = await v1.templates.update(name.toLowerCase(), {
        ...given('html', html),
        ...given('subject', subject),
      });
      const template = { ...templateOf(changed), version: { tag: String(changed.version) } };
      return { body: { message: 'version has been updated', template } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/v3/:domain/templates/:name',
    permission: 'full',
    async handle({ params: { name = '' }, v1 }) {
      await v1.templates.delete(name.toLowerCase());
      return { body: { message: 'template has been deleted', template: { name } } };
    },
  }),
];

/** Reads the subject from the headers; other headers are refused. */
function fieldsOf(body: unknown) {
  const form = toForm(body);
  const engine = readSingle(form, 'engine') ?? 'handlebars';
  if (engine !== 'handlebars') throw invalidFields([{ path: 'engine', message: 'must be handlebars' }]);
  return {
    name: readSingle(form, 'name'),
    html: readSingle(form, 'template'),
    subject: subjectOf(readSingle(form, 'headers') ?? '{}'),
    active: readSingle(form, 'active'),
  };
}

function subjectOf(text: string): string | undefined {
  const { Subject: subject, ...others } = parseJsonObject(text, 'headers', 100);
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw invalidFields([
      {
        path: 'headers',
        message: `set ${other.slice(0, 60)} in each message as h:${other.slice(0, 60)}`,
      },
    ]);
  }
  if (subject === undefined || typeof subject === 'string') return subject;
  throw invalidFields([{ path: 'headers', message: 'Subject must be a string' }]);
}

/** Refuses with `not_found` for earlier versions, which are not active. */
async function currentVersion(v1: V1, name: string, version: string): Promise<TemplateWire> {
  const template = await v1.templates.get(name.toLowerCase());
  if (String(template.version) !== version) throw new Refusal('not_found');
  return template;
}

function versionOf({ version, html, updated_at }: TemplateWire) {
  const createdAt = new Date(updated_at).toUTCString();
  return {
    ...{ tag: String(version), template: html ?? '', engine: 'handlebars', createdAt },
    active: true,
  };
}

function templateOf({ id, slug, name, created_at }: TemplateWire) {
  return { id, name: slug, description: name, createdAt: new Date(created_at).toUTCString(), createdBy: '' };
}
