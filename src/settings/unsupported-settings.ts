// Settings that the interface names and this release does not support. A deployment that sets one starts, unless leaving it out
// would do something else than its author meant.

/** Accepted; a notice at the start says that they have no effect. */
export const WITHOUT_EFFECT: readonly string[] = ['POSTHORN_METRICS_PORT'];

/** Refused, with the reason. */
export const NOT_IN_THIS_RELEASE: Readonly<Record<string, string>> = {
  POSTHORN_DATABASE_URL: 'PostgreSQL is not in this release; data is kept in SQLite in the data folder',
  POSTHORN_DATABASE_URL_FILE: 'PostgreSQL is not in this release; data is kept in SQLite in the data folder',
  POSTHORN_ROLES: 'roles are not in this release; one process does everything',
};
