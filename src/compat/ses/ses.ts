// Amazon SES: API v2 (JSON, below /v2/email) and API v1 (AWS Query, at the base path), for clients that sign with Signature
// Version 4.
import { readJson } from '../../http/body/json-body.js';
import { parseEncoded } from '../form-body.js';
import type { Vendor } from '../route.js';
import { ACCOUNT_ROUTES } from './account.js';
import { ACTIONS } from './actions.js';
import { errorAnswer } from './errors.js';
import { FIELDS } from './field-names.js';
import { IDENTITY_ROUTES } from './identities.js';
import { MAIL_ROUTES } from './mail.js';
import { NOT_SERVED } from './not-served.js';
import { readAction } from './query.js';
import { createSignatureReader } from './signature.js';
import { SUPPRESSION_ROUTES } from './suppressions.js';
import { TEMPLATE_ROUTES } from './templates.js';

/** The same in all attempts of a client at one request. */
const INVOCATION = 'amz-sdk-invocation-id';

export const SES: Vendor = {
  name: 'ses',
  signed: {
    createReader: createSignatureReader,
    readBody: (octets, request) =>
      (request.routeOptions.url ?? '').includes('/v2/') ? readJson(octets, request) : parseEncoded(octets),
  },
  requestIdHeader: 'x-amzn-requestid',
  idempotencyKeyOf: ({ [INVOCATION]: id }) => (typeof id === 'string' ? `${INVOCATION}:${id}` : null),
  fields: FIELDS,
  routes: [...MAIL_ROUTES, ...TEMPLATE_ROUTES, ...SUPPRESSION_ROUTES, ...IDENTITY_ROUTES, ...ACCOUNT_ROUTES],
  notServed: NOT_SERVED,
  actions: { routes: ACTIONS, read: (body) => readAction(ACTIONS, body) },
  errorAnswer,
};
