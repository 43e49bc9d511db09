// Refuses large bodies while the disk is full. Small bodies pass, so that people can still sign in, cancel, suppress and
// delete.
import { Refusal } from '../../contract/refusal.js';
import { DISK_IS_FULL } from '../../lib/files/index.js';
import type { Api } from '../api.js';

/** Largest body, in octets, that is stored as a row or two. */
const SMALL_BYTES = 4096;

/** Refuses with `unavailable` before the body is read. */
export function refuseBodiesWithoutSpace(app: Api, isStorageFull: () => boolean): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
    const isSmall = coding === undefined && Number(length) <= SMALL_BYTES;
    if (isSmall || !isStorageFull()) done();
    else done(new Refusal('unavailable', DISK_IS_FULL));
  });
}
