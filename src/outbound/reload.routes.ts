// POST /v1/system/reload: reads the files of outgoing mail again.
import { Type } from 'typebox';
import type { Api } from '../http/api.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf } from '../contract/schema.js';
import { FOR_OPERATORS, refuseNonOperators } from '../accounts/access/operator.js';
import type { OutboundApiContext } from './context.js';
import { reloadOnRequest } from './reload.js';
import { RULE_PARTS } from './route/rule-changes.js';

const CHANGES = ['added', 'removed', 'changed'] as const;

const reloadRequest = closed({
  dry_run: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether to only check the files and return the changes without applying them.',
    }),
  ),
});

const reloadChange = Type.Object({
  part: oneOf(RULE_PARTS),
  name: nullable(Type.String({ description: 'The name of the changed source, pool or smarthost.' })),
  change: oneOf(CHANGES),
});

const reload = Type.Object({
  object: Type.Literal('reload'),
  dry_run: Type.Boolean(),
  changes: Type.Array(reloadChange, { description: 'Changes applied. Empty if nothing has changed.' }),
  warnings: Type.Array(Type.String(), { description: 'Valid settings that are probably unintended.' }),
  need_restart: Type.Array(Type.String(), {
    description: 'Changed settings that take effect only after a restart.',
  }),
});

nameSchemas({ ReloadRequest: reloadRequest, Reload: reload, ReloadChange: reloadChange });
nameEnums({ ReloadPart: RULE_PARTS, ReloadChangeKind: CHANGES });

export function reloadRoute(app: Api, context: Pick<OutboundApiContext, 'store' | 'reload'>): void {
  app.post(
    '/v1/system/reload',
    {
      config: { permission: 'admin', role: 'admin', optionalBody: true },
      schema: {
        operationId: 'system.reload',
        tags: ['System'],
        summary: 'Reload the configuration',
        description: `Reloads sources, pools, routes, smarthosts, shaping, providers and bounce rules from the configuration file and the rule data, as SIGHUP does. Other settings require a restart. If the files contain errors, nothing changes, and the 422 response lists each error with its location. Messages past DATA are completed; others briefly return to the queue. The server keeps accepting mail. ${FOR_OPERATORS}, in the live environment.`,
        body: reloadRequest,
        response: { 200: reload },
      },
    },
    async (request) => {
      refuseNonOperators(request.caller, 'reload the configuration');
      const isDryRun = request.body.dry_run === true;
      const { changes, notes, needRestart } = await reloadOnRequest(context, isDryRun);
      return {
        object: 'reload' as const,
        dry_run: isDryRun,
        changes,
        warnings: [...notes],
        need_restart: needRestart,
      };
    },
  );
}
