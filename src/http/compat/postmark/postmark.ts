import { bearerSecretOf } from '../../api/auth.js';
import type { Vendor } from '../route.js';
export const POSTMARK: Vendor = {
  name: 'postmark',
  keyOf: bearerSecretOf,
  fields: {},
  routes: [],
  errorAnswer: (r, status) => ({ status, body: { message: r.message } }),
};
