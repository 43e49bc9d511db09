// Operations that each permission of a key allows.
import type { KeyPermission } from './names.js';

/**
 * Whether a key may use an operation. `send` allows only operations marked `send` (sending and reading messages); `read` allows
 * reads that are not marked `full`, and operations marked `read`; `full` allows everything that is not marked `admin`.
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
  if (needed === 'read') return true;
  return (method === 'GET' || method === 'HEAD') && needed !== 'full';
}
