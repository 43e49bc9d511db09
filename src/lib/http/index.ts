export { guardedLookup, resolveByDns } from './address-guard.js';
export { createAgent, type LazyAgent } from './agent.js';
export { signAwsRequest } from './aws-signature.js';
export { allowLongUpload, boundBodyTime } from './body-time.js';
export { readRange } from './byte-range.js';
export {
  type ConnectionGuard,
  connectionLimits,
  createConnectionGuard,
  openDescriptors,
} from './connection-guard.js';
export { CONNECTION_TERMS } from './connection-terms.js';
export { createDraining, type Draining } from './draining.js';
export {
  type EventSourceWriter,
  eventText,
  HEARTBEAT,
  openEventSource,
  openingText,
  placeText,
  resetText,
} from './event-source.js';
export { type FirstConnectionListener, listenForFirstConnection } from './first-connection.js';
export { createGuardedClient, type GuardedClient, type GuardedOutcome } from './guarded-client.js';
export { GROUNDS, html, type Html, page, STYLESHEET, STYLESHEET_PATH } from './html.js';
export { createPoster, type Poster, type PostOutcome } from './https-poster.js';
export { createLinkCheck, type LinkCheck, type LinkState } from './link-check.js';
export { resolveAndCheck, urlProblem } from './outside-url.js';
export { type PlainAnswer, type PlainOptions, type PlainServer, servePlain } from './plain-server.js';
export { createS3 } from './s3.js';
export { once, sendStatic, staticFile, staticPage, type StaticPage } from './static-page.js';
export { createPolicyFetch, type FetchedPolicy, type FetchPolicy } from './sts-fetch.js';
export { createTrackingHostCheck } from './tracking-host.js';
