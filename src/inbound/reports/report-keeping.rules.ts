// How much of the reports about our mail is kept, and for how long.
const DAY_MS = 86_400_000;

/** A report with its records, since it came; older ones are not taken. */
export const REPORT_KEEP_MS = 90 * DAY_MS;
/** Sums by day: a year and a month can be asked for. */
export const REPORT_SUMS_KEEP_MS = 400 * DAY_MS;
/** Records of one report that are stored with it, the largest first; the sums have all of them. */
export const RECORDS_KEPT = 1_000;
/** Different sums of one report; what comes after them is added up without its source. */
export const SUMS_A_REPORT = 1_000;
