// The certificate that we make ourselves: at the first start, when our names change, and before it ends.
import { join } from 'node:path';
import type { Certificate } from '../../lib/tls/certificate.js';
import { makeSelfSigned } from '../../lib/tls/self-signed.js';
import { renewalReason } from './certificate-renewal.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { createStoredCertificate } from './stored-certificate.js';

const RENEW_BEFORE_MS = 90 * 24 * 3_600_000;
const OURSELVES = 'self';
/** In the folder of certificates. */
export const SELF_SIGNED_FILE = 'self-signed.pem';

export interface SelfSigned {
  /** The one that is kept, made anew when it is missing, damaged, for other names or near its end. */
  get(): Promise<Certificate>;
}

export function createSelfSigned(deps: {
  folder: string;
  names: readonly string[];
  clock: Clock;
}): SelfSigned {
  const { names, clock } = deps;
  const kept = createStoredCertificate(join(deps.folder, SELF_SIGNED_FILE), 'self-signed');
  return {
    async get() {
      const held = await kept.read();
      const now = clock();
      const where = { heldFrom: null, from: OURSELVES, renewBeforeMs: RENEW_BEFORE_MS };
      const reason = renewalReason({ held, names, now, ...where });
      if (held !== null && reason === null) return held;
      const pair = await makeSelfSigned(names, now);
      // A damaged file is in the way of `create`.
      if (reason !== 'first') return kept.replace(pair);
      return kept.create(pair).catch(() => kept.replace(pair));
    },
  };
}
