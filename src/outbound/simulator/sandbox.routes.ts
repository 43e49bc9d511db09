// The sandbox: what becomes of a test message, by hand, and the addresses of the mailbox simulator.
import { message } from '../../messages/message.schema.js';
import { sandboxAddresses, simulateRequest, type SandboxAddress } from './sandbox.schema.js';
import { idParams } from '../../contract/schema.js';
import type { Simulator } from './simulator.rules.js';
import type { Store } from '../../store/store.js';
import type { SimulateByHand } from './simulate-by-hand.js';
import type { Api } from '../../api/api.js';
import { presentMessage } from '../../messages/message.view.js';
import { findMessage } from '../../messages/messages.routes.js';

export interface SandboxRouteDeps {
  store: Pick<Store, 'messages'>;
  simulator: Simulator;
  simulate: SimulateByHand;
}

export function sandboxRoutes(app: Api, { store, simulator, simulate }: SandboxRouteDeps): void {
  app.post(
    '/v1/messages/:id/simulate',
    {
      // The trail of the message tells of it.
      config: { permission: 'send', audit: false },
      schema: {
        operationId: 'messages.simulate',
        tags: ['Messages'],
        summary: 'Simulate the outcome of a sandbox message, or an action of its recipient',
        description:
          'With a test key, once the message has been sent and its own steps are over. Trail, events, webhooks and statistics ' +
          'are those of live mail; nothing that is simulated suppresses an address or takes anybody off a list. A message ' +
          'of live mail is refused with 409 `not_sandbox`, an event that cannot follow with 409 `outcome_impossible`.',
        params: idParams,
        body: simulateRequest,
        response: { 200: message },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { public_id: id } = await findMessage(store, scope, request.params.id);
      const changed = await simulate(scope, id, request.body.event);
      return presentMessage(changed, await store.messages.shownContent(changed), scope.mode);
    },
  );

  const data = addressesOf(simulator);
  app.get(
    '/v1/sandbox/addresses',
    {
      schema: {
        operationId: 'messages.listSandboxAddresses',
        tags: ['Messages'],
        summary: 'List the addresses of the mailbox simulator, and what each does',
        response: { 200: sandboxAddresses },
      },
    },
    () => ({ object: 'list' as const, data, has_more: false as const, next_cursor: null }),
  );
}

function addressesOf({ outcomes, otherwise }: Simulator): SandboxAddress[] {
  return [...outcomes].map(([name, steps]) => ({
    object: 'sandbox_address',
    local_part: name,
    example: `${name}@example.com`,
    is_default: steps === otherwise,
    steps: steps.map(({ event, afterMs, reply }) => ({ event, after_ms: afterMs, reply })),
  }));
}
