// Wires messages: how they are accepted, their routes, their files and proofs.
import type { CallerRecheck } from '../http/access/caller.js';
import type { MessageContext } from './context.js';
import type { Routes } from '../http/api.js';
import type { Job } from '../lib/concurrency/index.js';
import { approvalRoutes } from './approvals/approvals.routes.js';
import { Approvals } from './approvals/approvals.js';
import { draftRoutes } from './drafts/drafts.routes.js';
import { Drafts } from './drafts/drafts.js';
import { Submission } from './accept/accept.js';
import type { Config } from '../settings/settings.js';
import type { Keys } from '../lib/secrets/index.js';
import { forwardPageRoutes } from './inboxes/forward.pages.js';
import { type ForwardContext, Forwards } from './inboxes/forwards.js';
import { forwardRoutes } from './inboxes/forwards.routes.js';
import { type InboxContext, Inboxes } from './inboxes/inboxes.js';
import { inboxRoutes } from './inboxes/inboxes.routes.js';
import { InboxWaits } from './inboxes/inbox-waits.js';
import type { Log } from '../lib/runtime/index.js';
import { fileRoutes } from './files.routes.js';
import { messageRoutes } from './messages.routes.js';
import { proofPageRoutes } from './proof/proof.pages.js';
import { proofRoutes } from './proof/proof.routes.js';
import { Reconsider } from './reconsider.js';
import { createThreadIndexer, dropWordsOfRemoved } from './threads/search-index.js';
import { threadRoutes } from './threads/threads.routes.js';

interface MessagesModule extends MessageContext, InboxContext, ForwardContext {
  config: Config;
  keys: Pick<Keys, 'masterKey' | 'proofKeys'>;
  log: Log;
  recheck: CallerRecheck;
}

export function createMessages(context: MessagesModule) {
  const submission = new Submission(context);
  const reconsider = new Reconsider(context);
  const approvals = new Approvals(context);
  const drafts = new Drafts(context);
  const inboxes = new Inboxes(context);
  const waits = new InboxWaits(context);
  const forwards = new Forwards(context);
  const routes: Routes[] = [
    (api) => messageRoutes(api, { ...context, submission, reconsider }),
    (api) => fileRoutes(api, context),
    (api) => approvalRoutes(api, { ...context, approvals }),
    (api) => proofPageRoutes(api),
    (api) => proofRoutes(api, context),
    (api) => threadRoutes(api, { ...context, submission }),
    (api) => draftRoutes(api, { ...context, drafts, submission }),
    (api) => inboxRoutes(api, { ...context, inboxes, waits }),
    (api) => forwardRoutes(api, forwards),
    (api) => forwardPageRoutes(api, forwards),
  ];
  const stopping = new AbortController();
  const jobs: Job[] = [
    { name: 'expired approvals', at: 'minute', run: () => approvals.expire() },
    {
      ...{ name: 'thread search', at: { pattern: '*/2 * * * * *' } },
      run: createThreadIndexer(context.store, stopping.signal),
      stop: () => stopping.abort(),
    },
    {
      ...{ name: 'removed words', at: { pattern: '20 4 * * *' } },
      run: () => dropWordsOfRemoved(context.store, stopping.signal),
      stop: () => stopping.abort(),
    },
  ];
  return { submission, routes, jobs };
}
