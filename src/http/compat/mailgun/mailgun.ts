import { bearerSecretOf } from '../../api/auth.js';
import type { Vendor } from '../route.js';
export const MAILGUN: Vendor = {
  name: 'mailgun',
  keyOf: bearerSecretOf,
  fields: {},
  routes: [],
  errorAnswer: (r, { status }) => ({ status, body: { message: r.message } }),
};
