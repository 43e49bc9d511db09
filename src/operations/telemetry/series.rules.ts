// Every series that the metrics port shows: name, kind, labels and meaning. docs/monitoring/metrics.md has the same list, which a
// test compares. Names follow the conventions of Prometheus: base units, `_total` for counters.

/** Upper bounds of buckets, in seconds. */
const REQUEST_SECONDS = [0.005, 0.025, 0.1, 0.25, 1, 5, 30] as const;
const LAG_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;
const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2] as const;
const DELIVERY_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300] as const;
const WEBHOOK_SECONDS = [0.025, 0.1, 0.5, 1, 5, 15] as const;
const GROUP_SIZES = [1, 2, 5, 10, 25, 50, 100, 200] as const;

interface Series {
  kind: 'counter' | 'gauge' | 'histogram';
  labels: readonly string[];
  help: string;
  buckets?: readonly number[];
}

const counter = (help: string, ...labels: string[]) => ({ kind: 'counter', labels, help }) as const;
const gauge = (help: string, ...labels: string[]) => ({ kind: 'gauge', labels, help }) as const;
const histogram = (help: string, buckets: readonly number[], ...labels: string[]) =>
  ({ kind: 'histogram', labels, help, buckets }) as const;

export const SERIES = {
  // The process
  mailkeel_build_info: gauge('Always 1; the version is the label.', 'version'),
  mailkeel_start_time_seconds: gauge('When the process was started, in seconds since 1970.'),
  mailkeel_cpu_seconds_total: counter('Processor time of the whole process, user and system.'),
  mailkeel_resident_memory_bytes: gauge('Resident memory of the whole process.'),
  mailkeel_event_loop_lag_seconds: histogram(
    'How late a timer of the main thread ran, measured ten times a second.',
    LAG_SECONDS,
  ),
  mailkeel_event_loop_stalled_seconds: gauge(
    'Time since the main thread last ran a timer that is due ten times a second; 0 while it is on time.',
  ),
  mailkeel_worker_ends_total: counter('Worker threads that ended unasked, and were replaced.', 'kind'),
  // Nodes on one database
  mailkeel_nodes: gauge('Nodes that this one sees, itself included; absent where it is alone.', 'status'),
  mailkeel_node_leases: gauge('Leases that this node has: of parts of the paths, and of rooms.', 'kind'),
  mailkeel_node_fenced: gauge(
    '1 while the database does not answer this node, which does no work of one node then.',
  ),
  mailkeel_node_clock_offset_seconds: gauge(
    "How far the machine's clock is ahead of the database's, measured at each heartbeat; negative where it is behind.",
  ),
  // The API
  mailkeel_http_requests_total: counter('Answered requests.', 'method', 'route', 'status'),
  mailkeel_http_request_duration_seconds: histogram(
    'Time from the first octet of a request to the end of its answer; event streams are left out.',
    REQUEST_SECONDS,
    'method',
    'route',
  ),
  // Messages and their delivery
  mailkeel_messages_accepted_total: counter('Messages that were stored to be sent.', 'type', 'mode'),
  mailkeel_queue_messages: gauge(
    'Messages in the queue. State: in_flight, held (by us), due, or later.',
    'mode',
    'rank',
    'state',
  ),
  mailkeel_queue_oldest_due_seconds: gauge(
    'How long the oldest waiting message has been due; 0 when none is.',
    'mode',
    'rank',
  ),
  mailkeel_delivery_attempts_total: counter(
    'Delivery attempts with their result; provider "other" is none of config/providers.json.',
    'result',
    'provider',
    'source',
  ),
  mailkeel_delivery_duration_seconds: histogram(
    'Time of an attempt, from the signed copy to the outcome.',
    DELIVERY_SECONDS,
    'result',
  ),
  mailkeel_smtp_sessions_open: gauge('Open sessions with receiving servers.', 'provider', 'source'),
  mailkeel_active_limits: gauge('Limits that replies of receivers have set and that hold now.', 'kind'),
  mailkeel_breakers_open: gauge(
    'Destinations that are left alone because they could not be reached.',
    'source',
  ),
  mailkeel_messages_in_doubt: gauge('Messages of which nobody can know whether they arrived.'),
  mailkeel_outbound_held: gauge('1 while live mail is held after a restore from a backup, else 0.'),
  // The store
  mailkeel_commit_duration_seconds: histogram('Time of a durable transaction.', COMMIT_SECONDS),
  mailkeel_commit_group_size: histogram('Pieces of work that shared a transaction.', GROUP_SIZES),
  mailkeel_store_unavailable_total: counter('Transactions that the store could not write.'),
  mailkeel_store_statements_total: counter(
    'Statements that the main thread ran; those of requests that read may run in other threads.',
  ),
  mailkeel_database_connections_missed_total: counter(
    'Times that the main thread got no connection to PostgreSQL within 5 seconds.',
  ),
  mailkeel_database_damaged: gauge('1 while damage of the database is known, else 0.'),
  mailkeel_database_bytes: gauge('Size of the database file.'),
  mailkeel_database_log_bytes: gauge('Size of the write-ahead log beside it.'),
  mailkeel_database_free_bytes: gauge('Free pages in the database file, to be used again.'),
  mailkeel_database_growth_bytes_per_day: gauge(
    'Growth of the data in the database: the median of up to 28 days; none before the fourth day.',
  ),
  mailkeel_disk_full_timestamp_seconds: gauge(
    "When the data folder's disk will be full, in seconds since 1970; none where no end is in sight.",
  ),
  mailkeel_disk_free_bytes: gauge("Free space, for this user, of the data folder's disk."),
  mailkeel_disk_size_bytes: gauge("Size of the data folder's disk."),
  // Backups, which a database server makes by its own tools
  mailkeel_backup_last_success_timestamp_seconds: gauge(
    'When the last good backup ended, in seconds since 1970; none before the first.',
  ),
  mailkeel_backup_due_timestamp_seconds: gauge(
    'When the schedule asked for the next backup after the last good one, in seconds since 1970; none without a schedule.',
  ),
  mailkeel_backup_failed: gauge('1 if the last attempt at a backup failed, else 0.'),
  // Inbound mail
  mailkeel_inbound_waiting: gauge('Inbound mail that waits to be processed.'),
  mailkeel_inbound_parked: gauge('Inbound mail that could not be processed and waits for a person.'),
  mailkeel_inbound_messages_total: counter('Processed inbound mail.', 'kind', 'outcome'),
  // Webhooks and consumers of events
  mailkeel_webhook_backlog: gauge('Webhook deliveries that are still to be made, to enabled endpoints.'),
  mailkeel_webhook_lag_seconds: gauge(
    'How long the oldest webhook delivery to an enabled endpoint has been due; 0 when none is.',
  ),
  mailkeel_webhook_attempts_total: counter('Attempts at webhook deliveries.', 'result'),
  mailkeel_webhook_attempt_duration_seconds: histogram(
    'Time of an attempt at a webhook delivery.',
    WEBHOOK_SECONDS,
  ),
  mailkeel_consumer_lag_events: gauge('Events that a consumer of the event chains has not seen.', 'consumer'),
  // Tenants, keys, certificate, checks, jobs
  mailkeel_tenants: gauge('Sub-tenants.', 'state'),
  mailkeel_tenants_held: gauge('Sub-tenants that are warned, throttled or paused.', 'mode', 'state'),
  mailkeel_dkim_keys: gauge('DKIM keys.', 'state'),
  mailkeel_certificate_expiry_timestamp_seconds: gauge(
    'When the TLS certificate in use ends, in seconds since 1970.',
  ),
  mailkeel_preflight_checks: gauge('Results of the last checks of the appliance.', 'status'),
  mailkeel_job_last_success_timestamp_seconds: gauge(
    'When a job of the timetable last ended well, in seconds since 1970.',
    'job',
  ),
  mailkeel_job_failures_total: counter('Runs of a job that ended with a fault.', 'job'),
  // Telemetry itself
  mailkeel_store_read_timestamp_seconds: gauge(
    'When the values that come from the database were read, in seconds since 1970.',
  ),
  mailkeel_telemetry_dropped_total: counter(
    'What was left out: log lines and spans when too many waited, values of a series with too many labels.',
    'what',
  ),
  mailkeel_delivery_log_failures_total: counter('Times that the delivery log could not be written.'),
  // On request: MAILKEEL_METRICS_PER_TENANT
  mailkeel_tenant_messages_accepted_total: counter(
    'Messages that were stored to be sent, by sub-tenant.',
    'tenant',
  ),
  mailkeel_tenant_delivery_attempts_total: counter('Delivery attempts by sub-tenant.', 'tenant', 'result'),
} as const satisfies Record<string, Series>;

export type SeriesName = keyof typeof SERIES;
export type SeriesOf<K extends Series['kind']> = {
  [N in SeriesName]: (typeof SERIES)[N]['kind'] extends K ? N : never;
}[SeriesName];

/** Label sets that one series may have; more are counted as dropped. */
export const MAX_LABEL_SETS = 4_000;
