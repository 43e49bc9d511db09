// Renders the fields of objects and parameters as rows with types. Nested objects fold; named ones link to their own section.
import { html, type Html } from '../../lib/http/index.js';
import {
  schemaName,
  resolveReference,
  type Described,
  type Parameter,
  type Schema,
} from './openapi-model.js';

/** Most levels of unnamed objects that are shown nested. */
const MAX_DEPTH = 4;

/** Returns nothing for a schema without fields. */
export function fieldList(schema: Schema, document: Described): Html {
  const rows = fieldRows(schema, document, 0);
  return rows.length === 0
    ? html``
    : html`<ul class="fields">
        ${rows}
      </ul>`;
}

export function parameterList(parameters: readonly Parameter[], document: Described): Html {
  const rows = parameters.map(({ name, schema = {}, description = schema.description, required = false }) =>
    fieldRow(
      name,
      { ...schema, ...(description === undefined ? {} : { description }) },
      { required, document },
    ),
  );
  return html`<ul class="fields">
    ${rows}
  </ul>`;
}

function fieldRows(schema: Schema, document: Described, depth: number): Html[] {
  const { properties = {}, required = [] } = resolveReference(schema, document);
  return Object.entries(properties).map(([name, field]) =>
    fieldRow(name, field, { required: required.includes(name), document, depth }),
  );
}

interface FieldContext {
  required: boolean;
  document: Described;
  depth?: number;
}

function fieldRow(name: string, schema: Schema, { required, document, depth = 0 }: FieldContext): Html {
  const limits = limitsOf(schema);
  const nested = depth < MAX_DEPTH ? nestedIn(schema, document, depth) : [];
  return html`<li>
    <p>
      <code class="name">${name}</code>
      <span class="type">${describeType(schema, document)}</span>
      ${required ? html`<span class="required">required</span>` : []}
    </p>
    ${schema.description === undefined ? [] : html`<p>${inline(schema.description)}</p>`}
    ${limits === '' ? [] : html`<p class="limits">${limits}</p>`}
    ${
      nested.length === 0
        ? []
        : html`<details>
            <summary>Fields of <code>${name}</code></summary>
            <ul class="fields">
              ${nested}
            </ul>
          </details>`
    }
  </li>`;
}

/** Renders the fields of unnamed objects that the field is, contains in a list, or may be. */
function nestedIn(schema: Schema, document: Described, depth: number): Html[] {
  if (schema.$ref !== undefined) return [];
  if (schema.properties) return fieldRows(schema, document, depth + 1);
  if (schema.items) return nestedIn(schema.items, document, depth);
  return (schema.anyOf ?? schema.oneOf ?? []).flatMap((one) => nestedIn(one, document, depth));
}

/** Describes the type in words, such as `string or null`, `list of Message` or the words of a closed set. */
export function describeType(schema: Schema, document: Described): Html {
  const name = schemaName(schema);
  if (name !== null) {
    const target = resolveReference(schema, document);
    if (target.enum) return valuesOf(target.enum);
    return html`<a href="/docs/objects/${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) return valuesOf(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) {
    return joined(branches.map((branch) => describeType(branch, document)));
  }
  if (schema.items) return html`list of ${describeType(schema.items, document)}`;
  const words = [schema.type ?? 'any'].flat().map((type) => html`${type}`);
  const format = schema.format === undefined ? html`` : html` (${schema.format})`;
  return html`${joined(words)}${format}`;
}

function valuesOf(values: readonly unknown[]): Html {
  return html`one of ${values.map((value, i) => html`${i === 0 ? '' : ', '}<code>${String(value)}</code>`)}`;
}

function joined(types: readonly Html[]): Html {
  const seen = new Set<string>();
  const distinct = types.filter(({ markup }) => !seen.has(markup) && seen.add(markup));
  return html`${distinct.map((type, i) => html`${i === 0 ? '' : ' or '}${type}`)}`;
}

function limitsOf(schema: Schema): string {
  const { minimum, maximum, maxLength, minItems, maxItems } = schema;
  return [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(minItems === undefined ? [] : [`at least ${minItems} items`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} items`]),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ].join(', ');
}

/** Renders `code`, **strong** words and [links](/docs) in text. */
export function inline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\((?:https?:\/\/|\/)[^)\s]+\))/);
  return html`${parts.map(marked)}`;
}

function marked(part: string): Html {
  if (/^`[^`]+`$/.test(part)) return html`<code>${part.slice(1, -1)}</code>`;
  if (/^\*\*[^*]+\*\*$/.test(part)) return html`<strong>${inline(part.slice(2, -2))}</strong>`;
  const [, text, href] = /^\[([^\]]+)\]\(((?:https?:\/\/|\/)[^)\s]+)\)$/.exec(part) ?? [];
  return text === undefined || href === undefined ? html`${part}` : html`<a href="${href}">${text}</a>`;
}
