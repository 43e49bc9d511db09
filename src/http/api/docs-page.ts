// The readable API reference: one page, made from the OpenAPI document, without scripts or outside hosts.
import { html, page } from '../html.js';
import type { Html } from '../html.js';
import { REFUSALS } from '../../contract/refusal.js';
import { STATUS_OF_TYPE } from './errors.js';

/** The parts of an OpenAPI document that the page shows. */
export interface Described {
  info: { title: string; version: string; description?: string };
  paths?: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post?: Operation }>;
}

interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: unknown[];
  /** Without a name: a reference to what every GET takes, which the introduction tells. */
  parameters?: { in: string; name?: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: { content?: Record<string, { schema?: Schema; example?: unknown }> };
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>;
}

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
}

interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

const MAX_DEPTH = 4;
/** Headers that the introduction explains once. */
const ON_EVERY_OPERATION = new Set(['X-Sub-Tenant-Id', 'X-Request-Id']);

export function docsPage(described: Described): string {
  const document = inlined(described, described) as Described;
  const groups = groupsOf(document);
  const { title, version, description = '' } = document.info;
  return page(
    `${title} API reference`,
    html`<main>
      <h1>${title} API reference</h1>
      <p>Version ${version} · <a href="/openapi.json">openapi.json</a></p>
      ${description.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`)}
      <nav aria-label="Contents">
        <ul>
          ${groups.map(([tag]) => html`<li><a href="#${anchor(tag)}">${tag}</a></li>`)}
          <li><a href="#webhooks">Webhooks</a></li>
          <li><a href="#errors">Errors</a></li>
        </ul>
      </nav>
      ${groups.map(
        ([tag, entries]) =>
          html`<h2 id="${anchor(tag)}">${tag}</h2>
            ${entries.map(operationSection)}`,
      )}
      <h2 id="webhooks">Webhooks</h2>
      ${webhookTable(document)}
      <h2 id="errors">Errors</h2>
      ${errorTable()}
    </main>`,
  );
}

/** A part of the document with its references replaced by what they lead to. */
function inlined(part: unknown, document: unknown): unknown {
  if (Array.isArray(part)) return part.map((one: unknown) => inlined(one, document));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref: reference, ...rest } = part as Record<string, unknown>;
  const own = Object.entries(rest).map(([key, value]) => [key, inlined(value, document)] as const);
  if (typeof reference !== 'string') return Object.fromEntries(own);
  return { ...(inlined(targetOf(reference, document), document) as object), ...Object.fromEntries(own) };
}

/** What `#/components/…` leads to. */
function targetOf(reference: string, document: unknown): unknown {
  const steps = reference.split('/').slice(1);
  return steps.reduce((at, step) => (at as Record<string, unknown>)[step], document);
}

function groupsOf(document: Described): [tag: string, entries: Entry[]][] {
  const groups = new Map<string, Entry[]>();
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'Other';
      groups.set(tag, [...(groups.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  }
  return [...groups];
}

function operationSection({ method, path, operation }: Entry): Html {
  const { schema: body, example } = Object.values(operation.requestBody?.content ?? {})[0] ?? {};
  const parameters = (operation.parameters ?? []).filter(
    ({ name }) => name !== undefined && !ON_EVERY_OPERATION.has(name),
  );
  const needsKey = operation.security?.length !== 0;
  return html`<section class="operation" id="${operation.operationId ?? `${method} ${path}`}">
    <h3><span class="method">${method}</span> <code>${path}</code></h3>
    <p>${inline(operation.summary ?? '')}${needsKey ? '' : ' No key needed.'}</p>
    ${operation.description === undefined ? [] : html`<p>${inline(operation.description)}</p>`}
    ${parameters.length === 0 ? [] : fieldTable('Parameters', parameters.map(parameterRow))}
    ${body ? fieldTable('Body', fieldRows(body, '', 0)) : []} ${exampleOf(example)}
    ${Object.entries(operation.responses ?? {}).map(([status, response]) => responsePart(status, response))}
  </section>`;
}

function exampleOf(example: unknown): Html {
  if (example === undefined) return html``;
  return html`<pre><code>${JSON.stringify(example, null, 2)}</code></pre>`;
}

function responsePart(status: string, response: NonNullable<Operation['responses']>[string]): Html {
  const schema = Object.values(response.content ?? {})[0]?.schema;
  if (!schema || /^[45]/.test(status)) return html``;
  return html`<details>
    <summary>Answer ${status}</summary>
    ${fieldTable(`Fields of answer ${status}`, fieldRows(schema, '', 0))}
  </details>`;
}

function fieldTable(caption: string, rows: readonly Html[]): Html {
  if (rows.length === 0) return html``;
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Type</th>
        <th scope="col">Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function parameterRow(parameter: NonNullable<Operation['parameters']>[number]): Html {
  const { name = '', schema = {}, description = schema.description, required } = parameter;
  return row(name, { ...schema, ...(description === undefined ? {} : { description }) }, required);
}

function row(name: string, schema: Schema, required = false): Html {
  const limits = [
    ...(schema.minimum === undefined ? [] : [`at least ${schema.minimum}`]),
    ...(schema.maximum === undefined ? [] : [`at most ${schema.maximum}`]),
    ...(schema.maxLength === undefined ? [] : [`at most ${schema.maxLength} characters`]),
    ...(schema.maxItems === undefined ? [] : [`at most ${schema.maxItems} items`]),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ].join(', ');
  const meaning = [meaningOf(schema), limits === '' ? '' : `(${limits})`]
    .filter((part) => part !== '')
    .join(' ');
  return html`<tr>
    <td><code>${name}</code>${required ? ' required' : ''}</td>
    <td>${typeOf(schema)}</td>
    <td>${inline(meaning)}</td>
  </tr>`;
}

function meaningOf(schema: Schema): string {
  return schema.description ?? schema.anyOf?.find((one) => one.description !== undefined)?.description ?? '';
}

/** A row for each field, nested ones with dotted names. */
function fieldRows(schema: Schema, prefix: string, depth: number): Html[] {
  const object = objectIn(schema);
  if (!object || depth > MAX_DEPTH) return [];
  const { schema: shape, suffix } = object;
  return Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix === '' && suffix === '' ? name : `${prefix}${suffix}.${name}`;
    return [row(path, field, shape.required?.includes(name)), ...fieldRows(field, path, depth + 1)];
  });
}

/** The object that a schema is, holds in a list, or may be. */
function objectIn(schema: Schema): { schema: Schema; suffix: string } | null {
  if (schema.properties) return { schema, suffix: '' };
  if (schema.items?.properties) return { schema: schema.items, suffix: '[]' };
  for (const one of schema.anyOf ?? schema.oneOf ?? []) {
    const found = objectIn(one);
    if (found) return found;
  }
  return null;
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return [...new Set(branches.map(typeOf))].join(' | ');
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  return schema.type === undefined ? 'any' : [schema.type].flat().join(' | ');
}

/** Text with `code` marked up. */
function inline(text: string): Html {
  const parts = text.split('`');
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}

function webhookTable(document: Described): Html {
  const rows = Object.entries(document.webhooks ?? {}).map(
    ([event, { post }]) =>
      html`<tr>
        <td><code>${event}</code></td>
        <td>${post?.summary ?? ''}</td>
      </tr>`,
  );
  return html`<p>
      Each event is posted to your endpoints as
      <code>{event, occurred_at, data: {id, event, occurred_at}}</code>, signed in
      <code>Service-Signature: t=&lt;unix seconds&gt;,v1=&lt;hex&gt;</code>: the HMAC-SHA256 of
      <code>&lt;t&gt;.&lt;raw body&gt;</code> with the endpoint's secret.
    </p>
    <table>
      <caption>
        Events
      </caption>
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`;
}

function errorTable(): Html {
  const rows = Object.entries(REFUSALS).map(
    ([code, { type, meaning }]) =>
      html`<tr>
        <td><code>${code}</code></td>
        <td>${STATUS_OF_TYPE[type]} <code>${type}</code></td>
        <td>${meaning}</td>
      </tr>`,
  );
  return html`<p>
      Every error is answered with
      <code>{error: {type, code, message, param, details, request_id}}</code>; <code>param</code> and
      <code>details</code> only where they say something.
    </p>
    <table>
      <caption>
        Codes
      </caption>
      <thead>
        <tr>
          <th scope="col">Code</th>
          <th scope="col">Status and type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`;
}

function anchor(tag: string): string {
  return tag.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
