// The operator's workspace: the one that the first start made.

/** Its number. */
export const OPERATOR_WORKSPACE = 1;

/** Not a request that is narrowed to a sub-tenant. */
export function isOperator(scope: { subTenantId: string | null; workspaceNumber: number }): boolean {
  return scope.subTenantId === null && scope.workspaceNumber === OPERATOR_WORKSPACE;
}
