// Service-Version: requests name a dated API version, keys remember that of their first call, and answers have the form of that
// version. Deprecated operations send Deprecation (RFC 9745) and Sunset (RFC 8594).
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import { API_VERSIONS, VERSION_CHANGES, type ApiVersions } from '../../contract/versions.js';
import { answerIn, laterChanges, newestVersion } from './api-version.rules.js';
import { productVersion } from '../../lib/runtime/index.js';
import type { Api } from '../api.js';
import { readOperation } from '../operation.js';

const HEADER = 'service-version';
export const VERSIONS: ApiVersions = { known: API_VERSIONS, changes: VERSION_CHANGES };

/** Times in ISO 8601. */
export interface Deprecation {
  since: string;
  /** Time at which the operation is removed. */
  sunset?: string;
  /** Page that describes the replacement. */
  link?: string;
}

interface VersionOptions {
  /** Keeps the version of a key's first call. Fails while it cannot be stored. */
  rememberVersion: (keyId: string, version: string) => Promise<void>;
  versions: ApiVersions;
}

/** Must be called after the hook that sets `request.caller` was added, and after those that keep answers. */
export function registerVersions(app: Api, { rememberVersion, versions }: VersionOptions): void {
  const newest = newestVersion(versions);
  app.decorateRequest('apiVersion', newest);

  app.addHook('onRequest', (request, reply, done) => {
    if (!isOfApi(request)) {
      done();
      return;
    }
    const { config } = request.routeOptions;
    const known = config.public === true ? null : request.keyApiVersion;
    const wanted = request.headers[HEADER];
    if (wanted !== undefined && !versions.known.includes(String(wanted))) {
      const sentence = `Service-Version must be one of ${versions.known.join(', ')}.`;
      done(new Refusal('bad_request', sentence, { param: 'Service-Version' }));
      return;
    }
    request.apiVersion = wanted === undefined ? (known ?? newest) : String(wanted);
    reply.header('Service-Version', request.apiVersion);
    if (config.public !== true) reply.header('Service-Release', productVersion());
    if (config.deprecation !== undefined) reply.headers(deprecationHeaders(config.deprecation));
    const isFirst = config.public !== true && known === null && request.caller.actor.kind === 'api_key';
    if (!isFirst) {
      done();
      return;
    }
    rememberVersion(request.caller.actor.id, request.apiVersion).then(
      () => done(),
      (error: unknown) => {
        if (request.method !== 'GET') {
          done(error instanceof Error ? error : new Error(String(error)));
          return;
        }
        // Reads are answered on a full disk too; the key's next call retries.
        request.log.warn({ err: error }, 'saving the API version of a key failed');
        done();
      },
    );
  });

  if (versions.changes.length === 0) return;
  app.addHook('onSend', (request, reply, payload, done) => {
    const { operationId = '' } = readOperation(request);
    const { changes } = versions;
    const isAffected =
      typeof payload === 'string' &&
      reply.statusCode < 300 &&
      isOfApi(request) &&
      laterChanges(request.apiVersion, operationId, changes).length > 0;
    if (!isAffected) {
      done(null, payload);
      return;
    }
    const answer: unknown = JSON.parse(payload);
    done(null, JSON.stringify(answerIn(request.apiVersion, operationId, { answer, changes })));
  });
}

function isOfApi(request: FastifyRequest): boolean {
  return request.routeOptions.url?.startsWith('/v1/') === true;
}

function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    Deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    ...(sunset === undefined ? {} : { Sunset: new Date(sunset).toUTCString() }),
    ...(link === undefined ? {} : { Link: `<${link}>; rel="deprecation"` }),
  };
}
