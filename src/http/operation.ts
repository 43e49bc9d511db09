// Reads the operation that a request calls from its route's declaration.
import type { FastifyRequest } from 'fastify';

/** Tags of operations on data that all workspaces of an organization share. */
const ORGANIZATION_TAGS: readonly string[] = ['Organization', 'Workspaces', 'Members', 'Invitations', 'Auth'];

export interface Operation {
  operationId?: string;
  tags?: readonly string[];
  /** JSON schemas. */
  body?: object;
  querystring?: object;
  params?: object;
}

export function readOperation({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): Operation {
  // Fastify's schema type lacks the fields of OpenAPI.
  return (routeOptions.schema ?? {}) as Operation;
}

/** Whether the operation concerns the organization rather than one workspace. */
export function isOfOrganization(request: FastifyRequest): boolean {
  const { tags = [] } = readOperation(request);
  return tags.some((tag) => ORGANIZATION_TAGS.includes(tag));
}
