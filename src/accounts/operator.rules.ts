// The operator's workspace, which the first start creates.

/** Its number. */
export const OPERATOR_WORKSPACE = 1;

/** Returns whether a request is for the operator's workspace and not narrowed to a sub-tenant. */
export function isOperator(scope: { subTenantId: string | null; workspaceNumber: number }): boolean {
  return scope.subTenantId === null && scope.workspaceNumber === OPERATOR_WORKSPACE;
}
