// The operation that a request calls, as its route declares it.
import type { FastifyRequest } from 'fastify';

/** Tags of operations on what all workspaces of an organization share. */
const ORGANIZATION_TAGS: readonly string[] = ['Organization', 'Workspaces', 'Members', 'Invitations', 'Auth'];

export interface Operation {
  operationId?: string;
  tags?: readonly string[];
  /** JSON schemas. */
  body?: object;
  querystring?: object;
}

export function operationOf({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): Operation {
  // Fastify's type of a schema lacks the fields of the OpenAPI document.
  return (routeOptions.schema ?? {}) as Operation;
}

/** Whether the operation is on what all workspaces of an organization share. */
export function isOfOrganization(request: FastifyRequest): boolean {
  const { tags = [] } = operationOf(request);
  return tags.some((tag) => ORGANIZATION_TAGS.includes(tag));
}
