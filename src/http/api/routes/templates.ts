// Templates: sources of subject, html and text, kept in versions, found by id or slug.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { listOf, pageQuery } from '../../../contract/lists.js';
import { Refusal } from '../../../contract/refusal.js';
import { deleted } from '../../../contract/schema.js';
import {
  renderedTemplate,
  slugOf,
  template,
  templateCreate,
  templateRender,
  templateUpdate,
  templateVersion,
  type TemplateWire,
} from '../../../contract/template.js';
import type { Clock } from '../../../runtime/clock.js';
import { newId } from '../../../runtime/ids.js';
import type { Contact } from '../../../store/audience.js';
import type { Plan } from '../../../store/plan.js';
import type { Scope } from '../../../store/scope.js';
import type { Store } from '../../../store/store.js';
import type { Template, TemplateWithContent } from '../../../store/templates.js';
import { makeCopy } from '../../../work/submission/copy.js';
import type { Renderer } from '../../../work/submission/renderer.js';
import { readAddress } from '../address-field.js';
import type { Api } from '../api.js';
import { listAnswer, readPage, ROW_NUMBER } from '../pages.js';
import { presentTemplate, presentTemplateVersion } from '../present/template.js';
import { scopeWithField } from '../sub-tenant-scope.js';
import {
  createTemplateSources,
  isSlugTaken,
  refuseSlug,
  type Sources,
  type TemplateSources,
} from '../template-edit.js';

const tags = ['Templates'];
const params = Type.Object({ id: Type.String({ description: 'Its id, or its slug.' }) });
/** Characters of an id that tell a derived slug from one that is taken. */
const SLUG_TAIL = 6;

export interface TemplateRouteDeps {
  store: Pick<Store, 'templates' | 'audience' | 'tenants' | 'commit'>;
  renderer: Renderer;
  clock: Clock;
  /** Base of the sample unsubscribe link in previews, without a slash at the end. */
  publicUrl: string;
}

type Deps = TemplateRouteDeps & {
  sources: TemplateSources;
  find: (scope: Scope, idOrSlug: string) => Promise<TemplateWithContent>;
  present: (scope: Scope, row: TemplateWithContent) => Promise<TemplateWire>;
};

export function templateRoutes(app: Api, given: TemplateRouteDeps): void {
  const { store, renderer } = given;
  const sources = createTemplateSources(renderer);
  const deps: Deps = {
    ...given,
    sources,
    find: async (scope, idOrSlug) => {
      const byId = idOrSlug.startsWith('tpl_') ? await store.templates.template(scope, idOrSlug) : null;
      const found = byId ?? (await store.templates.templateBySlug(scope, idOrSlug));
      if (!found) throw new Refusal('not_found');
      return found;
    },
    present: async (scope, row) => presentTemplate(row, await sources.variablesOf(scope, row)),
  };
  listRoute(app, deps);
  createRoute(app, deps);
  readRoutes(app, deps);
  changeRoutes(app, deps);
  renderRoute(app, deps);
}

function listRoute(app: Api, { store, present }: Deps): void {
  app.get(
    '/v1/templates',
    {
      schema: {
        operationId: 'listTemplates',
        tags,
        summary: "List templates; a sub-tenant sees its own and the workspace's",
        querystring: pageQuery,
        response: { 200: listOf(template) },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const page = await store.templates.templates(scope, readPage(request.query));
      const shown = await Promise.all(page.rows.map((row) => present(scope, row)));
      return listAnswer({ rows: shown, next: page.next }, (wire) => wire);
    },
  );
}

function createRoute(app: Api, { store, sources, clock, present }: Deps): void {
  app.post(
    '/v1/templates',
    {
      schema: {
        operationId: 'createTemplate',
        tags,
        summary: 'Create a template; its syntax is checked, and the slug is made from the name when missing',
        body: templateCreate,
        response: { 201: template },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const scope = await scopeWithField(store.tenants, caller.scope, body.sub_tenant_id);
      const { subject = null, html = null, text = null } = body;
      if (body.slug !== undefined) await refuseSlug(store, scope, body.slug);
      await sources.check(scope, { subject, html, text });
      const now = clock();
      const id = newId('tpl', now);
      const row: Template = {
        id,
        workspace_id: scope.workspaceId,
        sub_tenant_id: scope.subTenantId,
        slug: body.slug ?? (await freeSlug(store, scope, { name: body.name, id })),
        name: body.name,
        type: body.type ?? 'any',
        version: 1,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      };
      await store.commit([
        { kind: 'insert', into: 'templates', row, conflict: { code: 'slug_taken', param: 'slug' } },
        versionInsert(row, { subject, html, text }, now),
      ]);
      return reply.status(201).send(await present(scope, { ...row, subject, html, text }));
    },
  );
}

async function freeSlug(
  store: Deps['store'],
  scope: Scope,
  { name, id }: { name: string; id: string },
): Promise<string> {
  const derived = slugOf(name);
  if (derived !== '' && !(await isSlugTaken(store, scope, derived))) return derived;
  const base = derived === '' ? 'template' : derived.slice(0, 100 - SLUG_TAIL - 1);
  return `${base}-${id.slice(-SLUG_TAIL)}`;
}

function versionInsert(row: Template, { subject, html, text }: Sources, now: number): Plan[number] {
  const version = { template_id: row.id, version: row.version, subject, html, text, created_at: now };
  return { kind: 'insert', into: 'template_versions', row: version };
}

function readRoutes(app: Api, { store, find, present }: Deps): void {
  app.get(
    '/v1/templates/:id',
    {
      schema: {
        operationId: 'getTemplate',
        tags,
        summary: 'Read a template',
        params,
        response: { 200: template },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      return present(scope, await find(scope, request.params.id));
    },
  );

  app.get(
    '/v1/templates/:id/versions',
    {
      schema: {
        operationId: 'listTemplateVersions',
        tags,
        summary: 'List the versions of a template, newest first',
        params,
        querystring: pageQuery,
        response: { 200: listOf(templateVersion) },
      },
    },
    async (request) => {
      const { id } = await find(request.caller.scope, request.params.id);
      const page = await store.templates.versions(id, readPage(request.query, ROW_NUMBER));
      return listAnswer(page, presentTemplateVersion);
    },
  );
}

/** A sub-tenant uses the workspace's templates and changes its own. */
function refuseWorkspaces(scope: Scope, row: Template): void {
  if (scope.subTenantId === row.sub_tenant_id || scope.subTenantId === null) return;
  throw new Refusal(
    'forbidden',
    'The template belongs to the workspace; create one of your own with its slug to use that instead.',
  );
}

function changeRoutes(app: Api, deps: Deps): void {
  const { store, find, present, clock } = deps;

  app.patch(
    '/v1/templates/:id',
    {
      schema: {
        operationId: 'updateTemplate',
        tags,
        summary: 'Change a template; new subject, html or text make a new version',
        params,
        body: templateUpdate,
        response: { 200: template },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const before = await find(scope, request.params.id);
      refuseWorkspaces(scope, before);
      const after = await changed(deps, scope, before, request.body);
      return present(scope, after);
    },
  );

  app.delete(
    '/v1/templates/:id',
    {
      schema: {
        operationId: 'deleteTemplate',
        tags,
        summary: 'Delete a template; messages made from it stay as they are',
        params,
        response: { 200: deleted('template') },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const row = await find(scope, request.params.id);
      refuseWorkspaces(scope, row);
      const set = { deleted_at: clock() };
      const where = { id: row.id, deleted_at: null };
      await store.commit([
        { kind: 'update', table: 'templates', set, where, otherwise: { code: 'not_found' } },
      ]);
      return { id: row.id, object: 'template' as const, deleted: true as const };
    },
  );
}

/** Commits what the body changes; two changes at the same time cannot both make the next version. */
async function changed(
  { store, sources, clock }: Deps,
  scope: Scope,
  before: TemplateWithContent,
  body: Static<typeof templateUpdate>,
): Promise<TemplateWithContent> {
  const owner = { ...scope, subTenantId: before.sub_tenant_id };
  if (body.slug !== undefined) await refuseSlug(store, owner, body.slug, before.id);
  const content = {
    subject: body.subject === undefined ? before.subject : body.subject,
    html: body.html === undefined ? before.html : body.html,
    text: body.text === undefined ? before.text : body.text,
  };
  const isNewVersion =
    content.subject !== before.subject || content.html !== before.html || content.text !== before.text;
  if (isNewVersion) await sources.check(scope, content);
  const now = clock();
  const set = {
    name: body.name ?? before.name,
    slug: body.slug ?? before.slug,
    type: body.type ?? before.type,
    version: before.version + (isNewVersion ? 1 : 0),
    updated_at: now,
  };
  const after: TemplateWithContent = { ...before, ...set, ...content };
  await store.commit([
    {
      kind: 'update',
      table: 'templates',
      set,
      where: { id: before.id, version: before.version, deleted_at: null },
      otherwise: { code: 'conflict', message: 'The template was changed at the same time; try again.' },
      conflict: { code: 'slug_taken', param: 'slug' },
    },
    ...(isNewVersion ? [versionInsert(after, content, now)] : []),
  ]);
  return after;
}

function renderRoute(app: Api, { store, renderer, find, publicUrl }: Deps): void {
  app.post(
    '/v1/templates/:id/render',
    {
      schema: {
        operationId: 'renderTemplate',
        tags,
        summary: 'Fill a template as a message would, and send nothing; the unsubscribe link is a sample',
        params,
        body: templateRender,
        response: { 200: renderedTemplate },
      },
      config: { permission: 'send' },
    },
    async (request) => {
      const { scope } = request.caller;
      const row = await find(scope, request.params.id);
      const { variables = {}, contact } = request.body;
      const copy = await makeCopy(renderer, {
        subject: row.subject ?? '',
        html: row.html,
        text: row.text,
        variables,
        contact: contact === undefined ? null : await findContact(store, scope, contact),
        unsubscribeUrl: `${publicUrl}/u/sample`,
        owner: scope.subTenantId ?? scope.workspaceId,
        param: 'variables',
      });
      return {
        object: 'rendered_template' as const,
        template_id: row.id,
        version: row.version,
        subject: row.subject === null ? null : copy.subject,
        html: copy.html,
        text: copy.text,
      };
    },
  );
}

async function findContact(store: Deps['store'], scope: Scope, idOrAddress: string): Promise<Contact> {
  const found = idOrAddress.includes('@')
    ? await store.audience.contactByAddress(scope, readAddress('contact', idOrAddress).key)
    : await store.audience.contact(scope, idOrAddress);
  if (!found) throw new Refusal('recipient_not_a_contact', 'There is no such contact.', { param: 'contact' });
  return found;
}
