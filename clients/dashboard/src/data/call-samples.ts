// Shows an API call as curl, code and a command. The SDK's request is captured before it is sent.
import { OPERATIONS } from '@mailkeel/cli/operations';
import { Mailkeel } from '@mailkeel/sdk';

/** A call as written in a page: `(api) => api.messages.list({ status: ['bounced'] })`. */
export type ApiCall = (api: Mailkeel) => PromiseLike<unknown>;

export interface CallSamples {
  /** `messages.list`; null if the API document does not have the operation. */
  operation: string | null;
  curl: string;
  sdk: string;
  cli: string;
}

interface Caught {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  /** Media type of rows, which are sent as a file. */
  rowsType: string | null;
}

/** Placeholder for the user's file. */
const ROWS_FILES: Record<string, string> = { 'text/csv': 'rows.csv', 'application/x-ndjson': 'rows.ndjson' };

/** Ends a call that was caught. */
class CaughtCall extends Error {}

export async function samplesOf(call: ApiCall): Promise<CallSamples> {
  const caught = await catchCall(call);
  const known = operationOf(caught);
  return {
    operation: known?.operation.id ?? null,
    curl: curlOf(caught),
    sdk: known === null ? '' : sdkOf(caught, known),
    cli: known === null ? '' : cliOf(caught, known),
  };
}

async function catchCall(call: ApiCall): Promise<Caught> {
  let caught: Caught | undefined;
  const api = new Mailkeel({
    baseUrl: location.origin,
    session: { csrfToken: 'none' },
    maxRetries: 0,
    fetch: (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const { body } = init ?? {};
      const type = new Headers(init?.headers).get('content-type') ?? '';
      const rowsType = type in ROWS_FILES ? type : null;
      caught = {
        method: init?.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        body: typeof body === 'string' && rowsType === null ? (JSON.parse(body) as unknown) : undefined,
        rowsType,
      };
      return Promise.reject(new CaughtCall());
    },
  });
  // The captured call always fails. A call that is refused before it is sent has no sample.
  await call(api).then(undefined, () => undefined);
  if (caught === undefined) throw new Error('The call was not sent.');
  return caught;
}

type Field = (typeof OPERATIONS)[number]['query'][number];
type Known = { operation: (typeof OPERATIONS)[number]; parts: string[] };

function operationOf({ method, path }: Caught): Known | null {
  for (const operation of OPERATIONS) {
    if (operation.method !== method) continue;
    const pattern = new RegExp(`^${operation.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`);
    const found = pattern.exec(path);
    // A literal path segment, such as `batch`, takes precedence over an ID parameter.
    if (found !== null && !found.slice(1).some((part) => isWordOf(operation.path, path, part))) {
      return { operation, parts: found.slice(1).map((part) => decodeURIComponent(part)) };
    }
  }
  return null;
}

function isWordOf(template: string, path: string, part: string): boolean {
  return OPERATIONS.some(
    (other) => other.path !== template && other.path === path && other.path.split('/').includes(part),
  );
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function curlOf({ method, path, query, body, rowsType }: Caught): string {
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${location.origin}${path}${search}"`,
    '-H "Authorization: Bearer $MAILKEEL_API_KEY"',
    ...(rowsType === null
      ? []
      : [`-H 'Content-Type: ${rowsType}'`, `--data-binary @${ROWS_FILES[rowsType] ?? ''}`]),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n  ');
}

/** Converts the query to the SDK's form: lists repeat the name, and numbers and booleans are texts. */
function queryObject(query: URLSearchParams, fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const given = query.getAll(name);
      const [first = ''] = given;
      switch (fields.find((field) => field.name === name)?.kind) {
        case 'list':
          return [name, given];
        case 'number':
          return [name, Number(first)];
        case 'boolean':
          return [name, first === 'true'];
        default:
          return [name, given.length > 1 ? given : first];
      }
    }),
  );
}

function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(/"([a-zA-Z_]\w*)":/g, '$1:')
    .replace(/"((?:[^"\\']|\\[^"'])*)"/g, "'$1'");
}

function sdkOf({ query, body, rowsType }: Caught, { operation, parts }: Known): string {
  const params = body ?? (query.size === 0 ? undefined : queryObject(query, operation.query));
  const rows = rowsType === null ? [] : [`await readFile('${ROWS_FILES[rowsType] ?? ''}')`];
  const given = [...parts.map((part) => `'${part}'`), ...rows, ...(params === undefined ? [] : [literal(params)])];
  return `await mailkeel.${operation.id}(${given.join(', ')});`;
}

const dashed = (name: string): string => name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function cliOf({ query, body, rowsType }: Caught, { operation, parts }: Known): string {
  const command = operation.id.split('.').map(dashed).join(' ');
  const fields = body !== null && typeof body === 'object' ? Object.entries(body) : [...query];
  const options = fields.map(([name, value]) => {
    if (value === true) return `--${dashed(name)}`;
    return `--${dashed(name)} ${quoted(typeof value === 'string' ? value : JSON.stringify(value))}`;
  });
  const rows = rowsType === null ? [] : ['--file', ROWS_FILES[rowsType] ?? ''];
  return ['mailkeel', command, ...parts.map(quoted), ...rows, ...options].join(' ');
}
