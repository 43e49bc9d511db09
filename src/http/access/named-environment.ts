// Reads the workspace and environment that a request names: in headers, or in the query of a GET, because links, downloads and
// EventSource cannot send custom headers.
import type { FastifyRequest } from 'fastify';
import { MODES, type Mode } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import type { Scope } from '../../database/scope.js';

const WORKSPACE = { header: 'x-workspace-id', shown: 'X-Workspace-Id', parameter: 'workspace_id' } as const;
const ENVIRONMENT = { header: 'x-environment', shown: 'X-Environment', parameter: 'environment' } as const;
const READING = ['GET', 'HEAD'];

/** Each field is null if the request does not name it. */
interface RequestedEnvironment {
  workspaceId: string | null;
  mode: Mode | null;
}

/** Query parameters that the OpenAPI document adds to every authenticated GET. */
export const PLACE_PARAMETERS = [
  {
    name: WORKSPACE.parameter,
    in: 'query',
    description:
      'The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace.',
    schema: { type: 'string' },
  },
  {
    name: ENVIRONMENT.parameter,
    in: 'query',
    description:
      'The environment, as in the `X-Environment` header. An API key accepts only its own environment.',
    schema: { type: 'string', enum: [...MODES] },
  },
];

/**
 * Removes both parameters from a GET's query, whose schema does not declare them. Returns a refusal if header and query
 * contradict each other or name an unknown environment.
 */
export function takeNamedPlace(request: FastifyRequest): RequestedEnvironment | Refusal {
  const workspaceId = namedBy(request, WORKSPACE);
  if (workspaceId instanceof Refusal) return workspaceId;
  const mode = namedBy(request, ENVIRONMENT);
  if (mode instanceof Refusal) return mode;
  if (mode !== null && !isMode(mode)) {
    return new Refusal('bad_request', `${ENVIRONMENT.shown} must be \`live\` or \`test\`.`, {
      param: ENVIRONMENT.parameter,
    });
  }
  return { workspaceId, mode };
}

/**
 * Returns a refusal if the query names another workspace or environment than the key's. Headers for signed-in people are
 * ignored for keys.
 */
export function refuseForeignPlace(request: FastifyRequest, scope: Scope): Refusal | undefined {
  const query = request.query as Record<string, unknown>;
  for (const [{ parameter }, own] of [
    [WORKSPACE, scope.workspaceId],
    [ENVIRONMENT, scope.mode],
  ] as const) {
    const value = query[parameter];
    if (value === undefined || !READING.includes(request.method)) continue;
    if (value !== own) {
      return new Refusal(
        'bad_request',
        `This API key belongs to a different ${parameter.replace('_id', '')}.`,
        {
          param: parameter,
        },
      );
    }
    Reflect.deleteProperty(query, parameter);
  }
  return undefined;
}

function namedBy(
  request: FastifyRequest,
  { header, shown, parameter }: typeof WORKSPACE | typeof ENVIRONMENT,
): string | null | Refusal {
  const given = request.headers[header];
  const byHeader = typeof given === 'string' && given !== '' ? given : null;
  const query = request.query as Record<string, unknown>;
  const value = query[parameter];
  if (value === undefined || !READING.includes(request.method)) return byHeader;
  Reflect.deleteProperty(query, parameter);
  const wanted = { param: parameter };
  if (typeof value !== 'string' || value === '') {
    return new Refusal(
      'bad_request',
      `${parameter} must be specified exactly once and must not be empty.`,
      wanted,
    );
  }
  if (byHeader === null || byHeader === value) return value;
  return new Refusal('bad_request', `The header ${shown} conflicts with ${parameter}.`, wanted);
}

function isMode(text: string): text is Mode {
  return (MODES as readonly string[]).includes(text);
}
