// The probes /healthz (the process runs) and /readyz (it can take work).
import type { Api } from '../http/api.js';
import { Readiness, type ReadinessContext } from './readiness.js';
import { Type } from 'typebox';
import { nameSchemas } from '../contract/schema.js';

const health = Type.Object({ status: Type.Literal('ok') });
const readiness = Type.Object({
  status: Type.Literal('ready'),
  warnings: Type.Array(Type.String(), {
    description: 'Problems that require attention, although the service works. Empty if there are none.',
  }),
});

nameSchemas({
  Health: health,
  Readiness: readiness,
});

const tags = ['Health'];
const config = { public: true };

export function healthRoutes(app: Api, context: ReadinessContext): void {
  const probe = new Readiness(context);

  app.get(
    '/healthz',
    {
      config,
      schema: {
        operationId: 'health.get',
        tags,
        summary: 'Check liveness',
        description: 'Returns 200 while the process is running. No API key is required.',
        response: { 200: health },
      },
    },
    () => ({ status: 'ok' as const }),
  );

  app.get(
    '/readyz',
    {
      config,
      schema: {
        operationId: 'health.getReadiness',
        tags,
        summary: 'Check readiness',
        description:
          "Returns 200 if the service can accept requests. Returns 503 if the database cannot be read or written or is damaged, disk space is low, the replica that changes wait for does not respond, the clock differs from the database's by 10 seconds or more, or the server is shutting down. No API key is required.",
        response: { 200: readiness },
      },
    },
    async () => ({ status: 'ready' as const, warnings: await probe.check() }),
  );
}
