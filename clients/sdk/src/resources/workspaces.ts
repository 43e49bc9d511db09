// Workspaces, each with a live and a test environment.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  Workspace,
  WorkspaceCreate,
  WorkspaceCreated,
  WorkspaceList,
  WorkspaceUpdate,
} from '../types.js';

export class Workspaces extends Resource {
  /**
   * Lists workspaces. An API key sees its own workspace. Users and admin keys see all workspaces of the
   * organization.
   *
   * @example
   * const workspaces = await mailkeel.workspaces.list();
   */
  list(params: Query<'workspaces.list'> = {}, options?: RequestOptions): List<Workspace, WorkspaceList> {
    return this.pages('GET /v1/workspaces', { query: params, options });
  }

  /**
   * Creates a workspace and, if requested, its first API keys. Requires a live key with `admin` permission that is
   * not pinned to a workspace.
   *
   * @example
   * const workspace = await mailkeel.workspaces.create({ name: 'Second shop', api_keys: true });
   */
  create(params: WorkspaceCreate, options?: RequestOptions): ApiPromise<WorkspaceCreated> {
    return this.call('POST /v1/workspaces', { body: params, options });
  }

  /**
   * Returns a workspace.
   *
   * @example
   * const workspace = await mailkeel.workspaces.get('ws_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Workspace> {
    return this.call('GET /v1/workspaces/{id}', { path: [id], options });
  }

  /**
   * Updates the name or message retention of a workspace.
   *
   * @example
   * await mailkeel.workspaces.update('ws_01kdyak3se4w5amvgkazjzkvb7', { retention_days: 90 });
   */
  update(id: string, params: WorkspaceUpdate, options?: RequestOptions): ApiPromise<Workspace> {
    return this.call('PATCH /v1/workspaces/{id}', { path: [id], body: params, options });
  }
}
