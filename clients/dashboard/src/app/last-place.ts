// Remembers the last workspace and environment, for addresses without a workspace.
import type { Environment, SignedIn } from '@mailkeel/sdk';

const KEPT_AS = 'mailkeel.place';

export function keepPlace(workspace: string, environment: Environment): void {
  localStorage.setItem(KEPT_AS, `${workspace}/${environment}`);
}

/**
 * Returns the path of the first page: in the last workspace and environment, or else the sandbox of the first workspace. Null
 * without a workspace.
 */
export function firstPath({ workspaces }: SignedIn): string | null {
  const [kept = '', environment] = (localStorage.getItem(KEPT_AS) ?? '').split('/');
  const workspace = workspaces.find(({ id }) => id === kept);
  if (workspace !== undefined) return `/${kept}/${environment === 'live' ? 'live' : 'test'}`;
  const [first] = workspaces;
  return first === undefined ? null : `/${first.id}/test`;
}
