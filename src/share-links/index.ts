// Wires share links, and their pages for readers without a key.
import type { Routes } from '../http/api.js';
import type { ExplainMessage } from '../outbound/index.js';
import type { ShareLinkContext } from './context.js';
import { ShareLinks } from './share-links.js';
import { shareLinkRoutes } from './share-links.routes.js';
import { sharePageRoutes } from './share.pages.js';

export function createSharing(
  context: ShareLinkContext,
  explainMessage: ExplainMessage,
): { routes: Routes[] } {
  const shareLinks = new ShareLinks(context);
  return {
    routes: [
      (api) => shareLinkRoutes(api, context, shareLinks),
      (api) => sharePageRoutes(api, { ...context, shareLinks, explainMessage }),
    ],
  };
}
