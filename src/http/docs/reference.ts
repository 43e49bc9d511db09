// Renders the pages of the API reference: one for each tag, and those of errors, webhook events and named objects.
import { REFUSALS } from '../../contract/refusal.js';
import { STATUS_OF_TYPE } from '../errors.js';
import { html, type Html } from '../../lib/http/index.js';
import { GUIDE_GROUPS, selectGuides } from './guide-groups.js';
import { guideHtml, type Guide } from './guides.js';
import { fieldList, inline, parameterList, describeType } from './fields.js';
import {
  resolveReference,
  type Answer,
  type Described,
  type Entry,
  type Group,
  type Parameter,
  type Schema,
} from './openapi-model.js';
import { findExample, buildSamples } from './samples.js';

/** Introduces the product to readers, people or programs, who do not know it. */
export const PRODUCT =
  'Mailkeel is a self-hosted email delivery server. Send mail through its REST API, its SMTP relay or the clients of other vendors. Mailkeel signs, queues and delivers the mail, processes bounces, complaints and replies, and reports every event by webhook. It also includes campaigns, sequences, contacts and templates.';

/** Headers and parameters that the introduction explains once. */
const ON_EVERY_OPERATION = new Set(['X-Sub-Tenant-Id', 'X-Request-Id', 'workspace_id', 'environment']);

interface Shelf {
  groups: readonly Group[];
  guides: readonly Guide[];
  known: ReadonlySet<string>;
}

/** Renders the first page: the quickstart, the guides by task, and the reference. */
export function introduction(document: Described, { groups, guides, known }: Shelf): Html {
  const { title, version, description = '' } = document.info;
  const base = document.servers?.[0]?.url ?? '';
  const quickstart = guides.find(({ slug }) => slug === 'quickstart');
  const paragraphs = description.split('\n\n');
  return html`<h1>${title} documentation</h1>
    <p>${PRODUCT}</p>
    ${quickstart === undefined ? [] : { markup: quickstartHtml(quickstart, known, base) }}
    <h2>Guides</h2>
    <ul class="cards">
      ${GUIDE_GROUPS.map(
        ({ title: task, slugs }) =>
          html`<li>
            <strong>${task}</strong>
            <ul>
              ${selectGuides(slugs, guides).map(
                ({ slug, title: name }) => html`<li><a href="/docs/guides/${slug}">${name}</a></li>`,
              )}
            </ul>
          </li>`,
      )}
    </ul>
    <h2>Reference</h2>
    <p>Version ${version} · <a href="/openapi.json">openapi.json</a> · <a href="/llms.txt">llms.txt</a></p>
    ${paragraphs.slice(1).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}
    <p>
      In the samples, <code>$BASE</code> or <code>base</code> is <code>${base}</code>, and
      <code>$KEY</code> or <code>key</code> is an API key. To install the typed
      <a href="/docs/guides/sdk">SDK</a> for Node, Bun, Deno and edge runtimes, run
      <code>npm install ${base}/sdk.tgz</code>. To install the <a href="/docs/guides/cli">CLI</a>, run
      <code>npm install -g ${base}/cli.tgz</code>.
    </p>
    <h3>Operations</h3>
    <ul class="cards">
      ${groups.map(
        ({ name, slug, description: about, entries }) =>
          html`<li>
            <a href="/docs/api/${slug}">${name}</a> <span>${entries.length}</span>
            <p>${inline(about)}</p>
          </li>`,
      )}
    </ul>`;
}

/** Renders the quickstart with this server's address and without its heading, which only its own page needs. */
function quickstartHtml(guide: Guide, known: ReadonlySet<string>, base: string): string {
  const markdown = guide.markdown
    .replace(/^# .+$/m, '## Quickstart')
    .replaceAll('http://localhost:8080', base);
  return guideHtml({ ...guide, markdown: markdown.replace(/^## (?=\d)/gm, '### ') }, known);
}

export function groupPage({ name, description, entries }: Group, document: Described): Html {
  return html`<h1>${name}</h1>
    <p>${inline(description)}</p>
    ${entries.map((entry) => operationSection(entry, document))}`;
}

function operationSection(entry: Entry, document: Described): Html {
  const { id, method, path, operation } = entry;
  const parameters = (operation.parameters ?? [])
    .map((parameter) => resolveReference<Parameter>(parameter, document))
    .filter(({ name }) => !ON_EVERY_OPERATION.has(name));
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const isPublic = operation.security?.length === 0;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}.title">
    <h2 id="${id}.title">${operation.summary ?? id}</h2>
    <p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
    <div class="columns">
      <div>
        ${operation.description === undefined ? [] : html`<p>${inline(operation.description)}</p>`}
        ${isPublic ? html`<p>No API key required.</p>` : []}
        ${
          parameters.length === 0
            ? []
            : html`<h3>Parameters</h3>
                ${parameterList(parameters, document)}`
        }
        ${
          body === undefined
            ? []
            : html`<h3>Request body</h3>
                ${typeLine(body, document)}${fieldList(body, document)}`
        }
        ${answersOf(operation.responses ?? {}, document)}
      </div>
      <div class="samples">${samples(entry, document)}</div>
    </div>
  </section>`;
}

function typeLine(schema: Schema, document: Described): Html {
  return html`<p class="type">${describeType(schema, document)}</p>`;
}

function answersOf(responses: Record<string, Answer | { $ref: string }>, document: Described): Html {
  const answers = Object.entries(responses).map(
    ([status, answer]) => [status, resolveReference<Answer>(answer, document)] as const,
  );
  const done = answers.filter(([status]) => status.startsWith('2'));
  const refused = answers.filter(([status]) => /^[45]\d\d$/.test(status));
  return html`<h3>Responses</h3>
    <ul class="fields">
      ${done.map(([status, { description = '', content = {} }]) => {
        const [[type, media] = ['', {}]] = Object.entries(content);
        const schema = media.schema;
        return html`<li>
          <p>
            <code class="name">${status}</code>
            ${schema === undefined || type !== 'application/json' ? type : describeType(schema, document)}
          </p>
          <p>${inline(description)}</p>
        </li>`;
      })}
    </ul>
    ${
      refused.length === 0
        ? []
        : html`<details>
            <summary>Errors</summary>
            <ul class="fields">
              ${refused.map(
                ([status, { description = '' }]) =>
                  html`<li>
                    <p><code class="name">${status}</code> ${inline(description)}</p>
                  </li>`,
              )}
            </ul>
          </details>`
    }`;
}

function samples(entry: Entry, document: Described): Html {
  const group = `sample ${entry.id}`;
  const [, success] =
    Object.entries(entry.operation.responses ?? {}).find(([status]) => status.startsWith('2')) ?? [];
  const media = success && resolveReference<Answer>(success, document).content?.['application/json'];
  const answer = media === undefined ? undefined : findExample(media, document);
  const code = (title: string, text: string): Html =>
    html`<summary>${title}</summary>
      <pre
        tabindex="0"
        aria-label="${title}: ${entry.operation.summary ?? entry.id}"
      ><code>${text}</code></pre>`;
  return html`${buildSamples(entry, document).map(({ language, code: text }) =>
    language === 'curl'
      ? html`<details name="${group}" data-language="${language}" open>${code(language, text)}</details>`
      : html`<details name="${group}" data-language="${language}">${code(language, text)}</details>`,
  )}
  ${answer === undefined ? [] : html`<details open>${code('Response', JSON.stringify(answer, null, 2))}</details>`}`;
}

export function objectsPage(objects: readonly [name: string, schema: Schema][]): Html {
  return html`<h1>Objects</h1>
    <p>Request and response objects, as defined in <code>openapi.json</code>.</p>
    <ul class="names">
      ${objects.map(([name]) => html`<li><a href="/docs/objects/${name}">${name}</a></li>`)}
    </ul>`;
}

export function objectPage(name: string, schema: Schema, document: Described): Html {
  return html`<h1>${name}</h1>
    ${schema.description === undefined ? [] : html`<p>${inline(schema.description)}</p>`}
    ${schema.properties ? fieldList(schema, document) : typeLine(schema, document)}`;
}

export function errorsPage(): Html {
  const rows = Object.entries(REFUSALS).map(
    ([code, { type, meaning }]) =>
      html`<tr>
        <td><code id="${code}">${code}</code></td>
        <td>${STATUS_OF_TYPE[type]} <code>${type}</code></td>
        <td>${meaning}</td>
      </tr>`,
  );
  return html`<h1>Errors</h1>
    <p>
      Every error response has the body
      <code>{error: {type, code, message, param, details, request_id}}</code>. <code>param</code> and
      <code>details</code> are included only when they apply. If several fields are invalid,
      <code>details.fields</code> lists all of them.
    </p>
    ${table(['Code', 'Status and type', 'Meaning'], rows)}`;
}

export function webhookEventsPage(document: Described): Html {
  const rows = Object.entries(document.webhooks ?? {}).map(
    ([event, { post }]) =>
      html`<tr>
        <td><code id="${event}">${event}</code></td>
        <td>${inline(post?.summary ?? '')}</td>
      </tr>`,
  );
  return html`<h1>Webhook events</h1>
    <p>
      Mailkeel sends each event to your webhook endpoints as
      <code>{event, occurred_at, data: {id, event, occurred_at}}</code> and signs it in the
      <code>Service-Signature</code> header. To verify the signature, see
      <a href="/docs/guides/webhooks">Webhooks</a>.
    </p>
    ${table(['Event', 'Meaning'], rows)}`;
}

function table(columns: readonly string[], rows: readonly Html[]): Html {
  return html`<table>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}
