// Reasons for which an endpoint is disabled because a person asked for it.

export const DISABLED_BY_REQUEST = 'Disabled by request.';
export const BEING_DELETED = 'The endpoint is being deleted.';
