// Audits every request that changes something. The entry is attached to the request's first commit, so routes need not write it,
// and a request without a change has none.
import type { FastifyRequest } from 'fastify';
import { auditDetail, auditPathParams, auditTarget } from '../audit/audit-detail.rules.js';
import { pendingAuditEntry, type AuditEntry } from '../audit/audit.store.js';
import type { Api } from '../../http/api.js';
import { isOfOrganization, readOperation } from '../../http/operation.js';
import type { AccountContext } from '../context.js';

const READING: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const TENANT_ID = /^tnt_[0-9a-z]{26}$/;
const MAX_REQUEST_ID = 128;

/** Call this after adding the hook that sets `request.caller`, and before declaring the routes. */
export function registerAudit(app: Api, { store, clock }: Pick<AccountContext, 'store' | 'clock'>): void {
  const { hooks } = store.audit;
  const open = new WeakMap<FastifyRequest, () => void>();

  // Runs after validation, so that the entry has the values that the handler gets.
  app.addHook('preHandler', (request, _reply, done) => {
    const action = auditedAction(request);
    if (action === null) {
      done();
      return;
    }
    hooks.attach(pendingAuditEntry(auditEntry(request, action, clock())), (end) => {
      open.set(request, end);
      done();
    });
  });
  app.addHook('onResponse', (request, _reply, done) => {
    open.get(request)?.();
    done();
  });
}

function auditedAction(request: FastifyRequest): string | null {
  const { config } = request.routeOptions;
  if (config.public || config.audit === false) return null;
  if (READING.includes(request.method) && auditConfig(request).reads !== true) return null;
  return readOperation(request).operationId ?? null;
}

/** Returns the entry of a request whose route records it, with `audit: false`, in the plan of its work. */
export function requestAuditEntry(request: FastifyRequest, at: number): AuditEntry {
  return auditEntry(request, readOperation(request).operationId ?? '', at);
}

function auditEntry(request: FastifyRequest, action: string, at: number): AuditEntry {
  const { actor, scope } = request.caller;
  return {
    at,
    organizationId: scope.organizationId,
    workspaceId: isOfOrganization(request) ? null : scope.workspaceId,
    subTenantId: scope.subTenantId ?? namedTenant(request),
    mode: scope.mode,
    actor,
    action,
    targetId: readTarget(request),
    makesMany: auditConfig(request).makesMany ?? false,
    detail: readDetail(request),
    ip: request.ip,
    requestId: request.id.slice(0, MAX_REQUEST_ID),
  };
}

function auditConfig(
  request: FastifyRequest,
): Exclude<FastifyRequest['routeOptions']['config']['audit'], false | undefined> {
  const { audit } = request.routeOptions.config;
  return audit === undefined || audit === false ? {} : audit;
}

function readTarget(request: FastifyRequest): string | null {
  const { id } = request.params as Record<string, string | undefined>;
  return id === undefined ? null : auditTarget(id);
}

/** Reads the sub-tenant that the body names. */
function namedTenant({ body }: FastifyRequest): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const { sub_tenant_id: id } = body as Record<string, unknown>;
  return typeof id === 'string' && TENANT_ID.test(id) ? id : null;
}

function readDetail(request: FastifyRequest): Record<string, unknown> {
  const schema = readOperation(request);
  const { shows = [] } = auditConfig(request);
  const parts = [
    isPlain(request.body) ? auditDetail(request.body, schema.body, shows) : null,
    isPlain(request.query) ? auditDetail(request.query, schema.querystring, shows) : null,
  ].filter((part) => part !== null);
  const places = auditPathParams(request.params as Record<string, string>);
  const values = { ...parts[0]?.values, ...parts[1]?.values, ...places };
  return {
    fields: parts.flatMap((part) => part.fields),
    ...(Object.keys(values).length > 0 ? { values } : {}),
  };
}

/** Returns whether the value was read from JSON or a query, unlike a stream or a buffer. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
