// Templates: sources of subject, html and text, kept in versions, found by id or slug.
import { Refusal } from '../contract/refusal.js';
import { deleted } from '../contract/schema.js';
import type { Scope } from '../database/scope.js';
import type { Caller } from '../http/access/caller.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { readPrecondition } from '../http/server/preconditions.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import type { TemplateContext } from './context.js';
import { copyTemplate } from './copy-template.js';
import { presentAll, presentOne, tags } from './presenting.routes.js';
import { renderContentRoute, renderRoute, testRoute } from './render.routes.js';
import {
  template,
  templateCopy,
  templateCreate,
  templateDeleteQuery,
  templateList,
  templateParams as params,
  templateQuery,
  templateUpdate,
} from './template.schema.js';
import { presentTemplateSummary } from './template.view.js';
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  findOwnTemplate,
  findTemplate,
} from './templates.js';
import { versionRoutes } from './versions.routes.js';

export function templateRoutes(app: Api, context: TemplateContext): void {
  listRoute(app, context);
  createRoute(app, context);
  readRoute(app, context);
  changeRoutes(app, context);
  versionRoutes(app, context);
  copyRoute(app, context);
  renderContentRoute(app, context);
  renderRoute(app, context);
  testRoute(app, context);
}

function listRoute(app: Api, context: TemplateContext): void {
  app.get(
    '/v1/templates',
    {
      schema: {
        operationId: 'templates.list',
        tags,
        summary: 'List templates',
        description:
          "Returns templates, newest first. A sub-tenant's key also sees the workspace's templates, and a test key also sees live templates.",
        querystring: templateQuery,
        response: { 200: templateList },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { q, view } = request.query;
      const page = await context.store.templates.templates(
        scope,
        readPage(request),
        q === undefined ? {} : { q },
      );
      if (view === 'summary') return listAnswer(request, page, presentTemplateSummary);
      const shown = await presentAll(context, scope, page.rows);
      return listAnswer(request, { rows: shown, next: page.next }, (wire) => wire);
    },
  );
}

function createRoute(app: Api, context: TemplateContext): void {
  app.post(
    '/v1/templates',
    {
      schema: {
        operationId: 'templates.create',
        tags,
        summary: 'Create a template',
        description:
          'Creates a template with its first version. The syntax is checked, and the slug is derived from the name if omitted.',
        body: templateCreate,
        response: { 201: template },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const scope = await scopeWithField(context.store.tenants, caller.scope, body.sub_tenant_id);
      const row = await createTemplate(context, scope, body);
      return reply.status(201).send(await presentOne(context, scope, row));
    },
  );
}

function readRoute(app: Api, context: TemplateContext): void {
  app.get(
    '/v1/templates/:id',
    {
      config: { versioned: true },
      schema: {
        operationId: 'templates.get',
        tags,
        summary: 'Retrieve a template',
        description:
          'Returns a template with the content of its current version. You can pass its slug instead of its ID.',
        params,
        response: { 200: template },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      return presentOne(context, scope, await findTemplate(context, scope, request.params.id));
    },
  );
}

function changeRoutes(app: Api, context: TemplateContext): void {
  app.patch(
    '/v1/templates/:id',
    {
      config: { versioned: true },
      schema: {
        operationId: 'templates.update',
        tags,
        summary: 'Update a template',
        description:
          'Changes a template. If the content changes, a new version is created. Messages that have already been created are not affected.',
        params,
        body: templateUpdate,
        response: { 200: template },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const before = await findOwnTemplate(context, scope, request.params.id);
      const guard = readPrecondition(request, before);
      const after = await changeTemplate(context, scope, { before, guard }, request.body);
      return presentOne(context, scope, after);
    },
  );

  app.delete(
    '/v1/templates/:id',
    {
      config: { versioned: true },
      schema: {
        operationId: 'templates.delete',
        tags,
        summary: 'Delete a template',
        description:
          "Deletes a template; messages created from it are not affected. Fails with `template_in_use` if a sequence, an unfinished campaign or a list's confirmation email uses the template, unless `force` is `true`. Afterwards, such a sequence pauses at the step that sends the template, and the list sends a plain confirmation email.",
        params,
        querystring: templateDeleteQuery,
        response: { 200: deleted('template') },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const row = await findOwnTemplate(context, scope, request.params.id);
      const guard = readPrecondition(request, row);
      await deleteTemplate(context, scope, row, { guard, isForced: request.query.force === true });
      return { id: row.id, object: 'template' as const, deleted: true as const };
    },
  );
}

function copyRoute(app: Api, context: TemplateContext): void {
  app.post(
    '/v1/templates/:id/copy',
    {
      schema: {
        operationId: 'templates.copy',
        tags,
        summary: 'Copy a template to the other environment',
        description:
          'Copies a template between live and test. If the other environment has a template with the same slug and owner, that template gets a new version (200); otherwise a template is created (201). A slug in the path refers to the source environment. A test key can only copy from live to test.',
        params,
        body: templateCopy,
        response: { 200: template, 201: template },
      },
    },
    async (request, reply) => {
      const { caller, body } = request;
      const { environment } = body;
      refuseLiveFromTest(caller, environment);
      const copying = { idOrSlug: request.params.id, environment };
      const { scope, row, isNew } = await copyTemplate(context, caller.scope, copying);
      return reply.status(isNew ? 201 : 200).send(await presentOne(context, scope, row));
    },
  );
}

function refuseLiveFromTest({ role, scope }: Caller, environment: Scope['mode']): void {
  if (environment === 'test' || scope.mode === 'live' || role !== null) return;
  throw new Refusal(
    'forbidden',
    'Test keys cannot change live templates. Use a live key to copy the template.',
  );
}
