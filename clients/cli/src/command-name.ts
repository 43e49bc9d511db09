// Names of commands: of every operation, and of a call that an advice suggests with its arguments filled in.
import type { Operation } from './operation.js';
import { OPERATIONS } from './operations.js';
import type { Row } from './output.js';
import { kebab } from './values.js';

export const nounOf = ({ id }: Operation): string => kebab(id.split('.')[0] ?? '');
export const verbOf = ({ id }: Operation): string => kebab(id.split('.')[1] ?? '');

/** Options that a suggested command needs, by the id of its operation. */
const OPTIONS: Readonly<Record<string, string>> = {
  'messages.update': '--send-at <time>',
  'organization.update': '--unsubscribe-blocks marketing',
  'subTenants.update': '--throttle-per-hour <number>',
};

/** Returns the command for a suggested call; null for an operation that this release does not know. */
export function commandOfCall({ operation: id, path, sub_tenant_id: subTenant }: Row): string | null {
  const operation = OPERATIONS.find((one) => one.id === id);
  if (operation === undefined || typeof path !== 'string') return null;
  const filled = path.split('/');
  const ids = operation.path
    .split('/')
    .flatMap((part, at) => (part.startsWith('{') ? [decodeURIComponent(filled[at] ?? '')] : []));
  const options = [
    OPTIONS[operation.id] ?? '',
    typeof subTenant === 'string' ? `--sub-tenant ${subTenant}` : '',
  ].filter((option) => option !== '');
  return ['mailkeel', nounOf(operation), verbOf(operation), ...ids, ...options].join(' ');
}
