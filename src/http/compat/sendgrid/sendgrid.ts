import { bearerSecretOf } from '../../api/auth.js';
import type { Vendor } from '../route.js';
export const SENDGRID: Vendor = {
  name: 'sendgrid',
  keyOf: bearerSecretOf,
  fields: {},
  routes: [],
  errorAnswer: (r, { status }) => ({ status, body: { message: r.message } }),
};
