// Operations of the sandbox: simulated events of a test message, and the addresses of the mailbox simulator.
import { message } from '../../messages/message.schema.js';
import { sandboxAddresses, simulateRequest, type SandboxAddress } from './sandbox.schema.js';
import { idParams } from '../../contract/schema.js';
import { compileShipped } from '../../settings/shipped.js';
import { compileSimulator, type Simulator } from './simulator.rules.js';
import { simulateByHand, type SandboxContext } from './simulate-by-hand.js';
import type { Api } from '../../http/api.js';
import { presentMessage } from '../../messages/message.view.js';
import { findMessage } from '../../messages/messages.routes.js';

export function sandboxRoutes(app: Api, context: SandboxContext): void {
  const { store } = context;
  const simulator = compileShipped('simulator', compileSimulator);
  app.post(
    '/v1/messages/:id/simulate',
    {
      // The message's trail records it.
      config: { permission: 'send', audit: false },
      schema: {
        operationId: 'messages.simulate',
        tags: ['Messages'],
        summary: 'Simulate an event for a sandbox message',
        description:
          'Simulates an outcome of a sandbox message or an action of its recipient. Requires a test key, and the message must have been sent and its own simulated steps completed. Audit trail, events, webhooks and statistics work as in live, but simulated events do not suppress addresses or unsubscribe contacts. Fails with 409 `not_sandbox` for a live message and 409 `outcome_impossible` if the event cannot follow the current status.',
        params: idParams,
        body: simulateRequest,
        response: { 200: message },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const found = await findMessage(store, scope, request.params.id);
      const { event } = request.body;
      const changed = await simulateByHand(context, simulator, scope, { message: found, event });
      return presentMessage(changed, await store.messages.shownContent(changed), scope.mode);
    },
  );

  const data = listAddresses(simulator);
  app.get(
    '/v1/sandbox/addresses',
    {
      schema: {
        operationId: 'messages.listSandboxAddresses',
        tags: ['Messages'],
        summary: 'List sandbox addresses',
        description: 'Returns the addresses of the mailbox simulator and the simulated outcome of each.',
        response: { 200: sandboxAddresses },
      },
    },
    () => ({ object: 'list' as const, data, has_more: false as const, next_cursor: null }),
  );
}

function listAddresses({ outcomes, otherwise }: Simulator): SandboxAddress[] {
  return [...outcomes].map(([name, steps]) => ({
    object: 'sandbox_address',
    local_part: name,
    example: `${name}@example.com`,
    is_default: steps === otherwise,
    steps: steps.map(({ event, afterMs, reply }) => ({ event, after_ms: afterMs, reply })),
  }));
}
