// What the permission of a key opens.
import type { KeyPermission } from '../../contract/names.js';

/**
 * Whether a key may use an operation. `send` opens only what is marked `send` (messages, to write and to read);
 * `read` opens everything that reads and is not marked `full`; `full` everything that is not marked `admin`.
 */
export function isAllowed(
  permission: KeyPermission,
  method: string,
  needed: KeyPermission | undefined,
): boolean {
  if (permission === 'admin') return true;
  if (needed === 'admin') return false;
  if (permission === 'full') return true;
  if (permission === 'send') return needed === 'send';
  return (method === 'GET' || method === 'HEAD') && needed !== 'full';
}
