// Versions of a template: listed, compared and restored.
import { Type } from 'typebox';
import { listOf, orderedQuery } from '../contract/lists.js';
import { Refusal } from '../contract/refusal.js';
import {
  readDesign,
  template,
  templateDiff,
  templateDiffQuery,
  templateParams,
  templateRestore,
  templateVersion,
} from './template.schema.js';
import type { TemplateContent } from './diff.rules.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { presentTemplateVersion } from './template.view.js';
import { changeTemplate, findOwnTemplate, findTemplate, readVersion } from './templates.js';
import { presentOne, tags } from './presenting.routes.js';
import type { TemplateContext } from './context.js';
import type { TemplateVersion } from './templates.tables.js';

const versionParams = Type.Object({
  ...templateParams.properties,
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export function versionRoutes(app: Api, context: TemplateContext): void {
  readRoutes(app, context);
  compareRoute(app, context);
  restoreRoute(app, context);
}

function readRoutes(app: Api, context: TemplateContext): void {
  const { store } = context;

  app.get(
    '/v1/templates/:id/versions',
    {
      schema: {
        operationId: 'templates.listVersions',
        tags,
        summary: "List a template's versions",
        description: 'Returns the versions of a template, newest first.',
        params: templateParams,
        querystring: orderedQuery,
        response: { 200: listOf(templateVersion) },
      },
    },
    async (request) => {
      const { id } = await findTemplate(context, request.caller.scope, request.params.id);
      const page = await store.templates.versions(id, readPage(request));
      return listAnswer(request, page, presentTemplateVersion);
    },
  );

  app.get(
    '/v1/templates/:id/versions/:version',
    {
      schema: {
        operationId: 'templates.getVersion',
        tags,
        summary: 'Retrieve a template version',
        description: 'Returns the content of one version of a template.',
        params: versionParams,
        response: { 200: templateVersion },
      },
    },
    async (request) => {
      const { id } = await findTemplate(context, request.caller.scope, request.params.id);
      return presentTemplateVersion(await readVersion(store, id, request.params.version));
    },
  );
}

function compareRoute(app: Api, context: TemplateContext): void {
  const { store, renderer } = context;

  app.get(
    '/v1/templates/:id/diff',
    {
      schema: {
        operationId: 'templates.compareVersions',
        tags,
        summary: 'Compare template versions',
        description:
          'Returns a diff of each part between two versions of a template. By default, compares the current version with the one before it.',
        params: templateParams,
        querystring: templateDiffQuery,
        response: { 200: templateDiff },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const current = await findTemplate(context, scope, request.params.id);
      const to = request.query.to ?? current.version;
      const from = request.query.from ?? Math.max(1, to - 1);
      const [before, after] = await Promise.all([
        readVersion(store, current.id, from, 'from'),
        readVersion(store, current.id, to, 'to'),
      ]);
      const owner = scope.subTenantId ?? scope.workspaceId;
      const answer = await renderer.compare({ from: comparable(before), to: comparable(after), owner });
      if (answer.kind === 'busy') throw new Refusal('unavailable');
      if (answer.kind === 'problem') throw new Refusal('template_invalid', answer.message, { param: 'to' });
      return { object: 'template_diff' as const, template_id: current.id, from, to, parts: answer.diff };
    },
  );
}

function restoreRoute(app: Api, context: TemplateContext): void {
  app.post(
    '/v1/templates/:id/restore',
    {
      schema: {
        operationId: 'templates.restore',
        tags,
        summary: 'Restore a template version',
        description:
          'Creates a new version with the content of an earlier one. Has no effect if that is already the current content.',
        params: templateParams,
        body: templateRestore,
        response: { 200: template },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const current = await findOwnTemplate(context, scope, request.params.id);
      const version = request.body.version ?? Math.max(1, current.version - 1);
      const { subject, html, text, inline_css, design } = await readVersion(
        context.store,
        current.id,
        version,
        'version',
      );
      const content = { subject, html, text, inline_css: inline_css === 1, design: readDesign(design) };
      return presentOne(context, scope, await changeTemplate(context, scope, { before: current }, content));
    },
  );
}

function comparable({ subject, html, text, inline_css }: TemplateVersion): TemplateContent {
  return { subject, html, text, inlineCss: inline_css === 1 };
}
