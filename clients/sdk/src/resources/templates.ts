// Templates with Handlebars placeholders, in versions.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  ContentRender,
  ListView,
  RenderedContent,
  RenderedTemplate,
  Template,
  TemplateCopy,
  TemplateCreate,
  TemplateDeleted,
  TemplateDiff,
  TemplateRender,
  TemplateRestore,
  TemplateSummary,
  TemplateTest,
  TemplateTestResult,
  TemplateUpdate,
  TemplateVersion,
  TemplateVersionList,
} from '../types.js';

export class Templates extends Resource {
  /**
   * Lists templates. Use `view: 'summary'` to omit their content.
   *
   * @example
   * for await (const template of mailkeel.templates.list({ q: 'welcome' })) console.log(template.slug);
   */
  list<V extends ListView = 'full'>(
    params: Query<'templates.list'> & { view?: V } = {},
    options?: RequestOptions,
  ): List<V extends 'summary' ? TemplateSummary : Template> {
    return this.pages<V extends 'summary' ? TemplateSummary : Template>('GET /v1/templates', {
      query: params,
      options,
    });
  }

  /**
   * Creates a template. If you omit `slug`, it is derived from the name. Fails with `template_invalid`, which
   * includes the position of the error, or `slug_taken`.
   *
   * @example
   * const template = await mailkeel.templates.create({ name: 'Welcome', subject: 'Hello {{first_name}}', html: '<p>Good to have you here.</p>' });
   */
  create(params: TemplateCreate, options?: RequestOptions): ApiPromise<Template> {
    return this.call('POST /v1/templates', { body: params, options });
  }

  /**
   * Returns a template by ID or slug.
   *
   * @example
   * const template = await mailkeel.templates.get('welcome');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Template> {
    return this.call('GET /v1/templates/{id}', { path: [id], options });
  }

  /**
   * Updates a template. Content changes create a new version. Scheduled campaigns keep their current version.
   *
   * @example
   * await mailkeel.templates.update('welcome', { subject: 'Welcome, {{first_name}}' });
   */
  update(id: string, params: TemplateUpdate, options?: RequestOptions): ApiPromise<Template> {
    return this.call('PATCH /v1/templates/{id}', { path: [id], body: params, options });
  }

  /**
   * Deletes a template. Messages created from it do not change. Fails with `template_in_use` while sequences or
   * unfinished campaigns use it, unless `force` is true.
   *
   * @example
   * await mailkeel.templates.delete('welcome', { force: true });
   */
  delete(
    id: string,
    params: Query<'templates.delete'> = {},
    options?: RequestOptions,
  ): ApiPromise<TemplateDeleted> {
    return this.call('DELETE /v1/templates/{id}', { path: [id], query: params, options });
  }

  /**
   * Copies a template to the other environment. If a template with the same slug exists there, the copy becomes its
   * new version.
   *
   * @example
   * await mailkeel.templates.copy('welcome', { environment: 'live' });
   */
  copy(id: string, params: TemplateCopy, options?: RequestOptions): ApiPromise<Template> {
    return this.call('POST /v1/templates/{id}/copy', { path: [id], body: params, options });
  }

  /**
   * Renders a template as a message without sending it.
   *
   * @example
   * const { subject } = await mailkeel.templates.render('welcome', { variables: { first_name: 'Ann' } });
   */
  render(id: string, params: TemplateRender, options?: RequestOptions): ApiPromise<RenderedTemplate> {
    return this.call('POST /v1/templates/{id}/render', { path: [id], body: params, options });
  }

  /**
   * Renders unsaved content as a template would. Nothing is saved or sent.
   *
   * @example
   * const { html } = await mailkeel.templates.renderContent({ html: '<p>Hello {{first_name}}</p>', variables: { first_name: 'Ann' } });
   */
  renderContent(params: ContentRender, options?: RequestOptions): ApiPromise<RenderedContent> {
    return this.call('POST /v1/templates/render', { body: params, options });
  }

  /**
   * Sends a template to test recipients as one transactional message tagged `template_test`.
   *
   * @example
   * await mailkeel.templates.test('welcome', { to: ['me@example.com'] });
   */
  test(id: string, params: TemplateTest, options?: RequestOptions): ApiPromise<TemplateTestResult> {
    return this.call('POST /v1/templates/{id}/test', { path: [id], body: params, options });
  }

  /**
   * Lists the versions of a template, newest first.
   *
   * @example
   * const versions = await mailkeel.templates.listVersions('welcome');
   */
  listVersions(
    id: string,
    params: Query<'templates.listVersions'> = {},
    options?: RequestOptions,
  ): List<TemplateVersion, TemplateVersionList> {
    return this.pages('GET /v1/templates/{id}/versions', { path: [id], query: params, options });
  }

  /**
   * Returns a version of a template.
   *
   * @example
   * const first = await mailkeel.templates.getVersion('welcome', 1);
   */
  getVersion(id: string, version: number, options?: RequestOptions): ApiPromise<TemplateVersion> {
    return this.call('GET /v1/templates/{id}/versions/{version}', { path: [id, version], options });
  }

  /**
   * Returns the differences between two versions of a template, part by part.
   *
   * @example
   * const difference = await mailkeel.templates.compareVersions('welcome', { from: 1, to: 2 });
   */
  compareVersions(
    id: string,
    params: Query<'templates.compareVersions'> = {},
    options?: RequestOptions,
  ): ApiPromise<TemplateDiff> {
    return this.call('GET /v1/templates/{id}/diff', { path: [id], query: params, options });
  }

  /**
   * Creates a new version with the content of an earlier one.
   *
   * @example
   * await mailkeel.templates.restore('welcome', { version: 1 });
   */
  restore(id: string, params: TemplateRestore, options?: RequestOptions): ApiPromise<Template> {
    return this.call('POST /v1/templates/{id}/restore', { path: [id], body: params, options });
  }
}
