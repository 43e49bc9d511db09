// Reasons for which an endpoint is disabled because a person asked for it or an import created it so.

export const DISABLED_BY_REQUEST = 'Disabled by request.';
export const DISABLED_BY_IMPORT = 'Imported from another Mailkeel server.';
export const BEING_DELETED = 'The endpoint is being deleted.';
