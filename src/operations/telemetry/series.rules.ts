// Every series on the metrics port, with name, kind, labels and meaning. docs/monitoring/metrics.md has the same list, which a
// test checks. Names follow the conventions of Prometheus: base units, `_total` for counters.

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
  mailkeel_build_info: gauge('Always 1. The version is a label.', 'version'),
  mailkeel_start_time_seconds: gauge('Start time of the process, as a Unix timestamp.'),
  mailkeel_cpu_seconds_total: counter('CPU time of the process, user and system.'),
  mailkeel_resident_memory_bytes: gauge('Resident memory of the process.'),
  mailkeel_event_loop_lag_seconds: histogram(
    'Event loop delay of the main thread, measured ten times per second.',
    LAG_SECONDS,
  ),
  mailkeel_event_loop_stalled_seconds: gauge(
    'Time since the main thread last ran a timer scheduled ten times per second. 0 if on time.',
  ),
  mailkeel_worker_ends_total: counter('Worker threads that stopped unexpectedly and were replaced.', 'kind'),
  // Nodes on one database
  mailkeel_nodes: gauge('Nodes visible to this node, including itself. Absent without a cluster.', 'status'),
  mailkeel_node_leases: gauge('Leases held by this node, for delivery paths and for rooms.', 'kind'),
  mailkeel_node_fenced: gauge(
    '1 if the database does not respond to this node and it has stopped its exclusive work, otherwise 0.',
  ),
  mailkeel_node_clock_offset_seconds: gauge(
    'Offset of the machine clock from the database clock, measured at each heartbeat. Positive if ahead.',
  ),
  // The API
  mailkeel_http_requests_total: counter('Completed API requests.', 'method', 'route', 'status'),
  mailkeel_http_request_duration_seconds: histogram(
    'Duration of API requests from the first byte received to the end of the response, without event streams.',
    REQUEST_SECONDS,
    'method',
    'route',
  ),
  // Messages and their delivery
  mailkeel_messages_accepted_total: counter('Messages accepted for sending.', 'type', 'mode'),
  mailkeel_policy_refusals_total: counter(
    'Messages refused by the send policy of their API key, by field of the policy.',
    'field',
  ),
  mailkeel_approvals_pending: gauge(
    'Messages waiting for approval, without their copies. Absent if none waits.',
    'mode',
  ),
  mailkeel_approvals_oldest_seconds: gauge(
    'Time that the oldest message has waited for approval. Absent if none waits.',
    'mode',
  ),
  mailkeel_approval_decisions_total: counter(
    'Ended approval requests: approved, rejected or expired.',
    'decision',
  ),
  mailkeel_queue_messages: gauge(
    'Messages in the queue. State is in_flight, held (by Mailkeel), due or later.',
    'mode',
    'rank',
    'state',
  ),
  mailkeel_queue_oldest_due_seconds: gauge(
    'Time that the oldest queued message has been due. 0 if none is due.',
    'mode',
    'rank',
  ),
  mailkeel_delivery_attempts_total: counter(
    'Delivery attempts by result. Provider "other" is any provider not in config/providers.json.',
    'result',
    'provider',
    'source',
  ),
  mailkeel_delivery_duration_seconds: histogram(
    'Duration of delivery attempts from the signed message to the outcome.',
    DELIVERY_SECONDS,
    'result',
  ),
  mailkeel_smtp_sessions_open: gauge('Open SMTP sessions with recipient servers.', 'provider', 'source'),
  mailkeel_active_limits: gauge('Active limits set by replies from recipient servers.', 'kind'),
  mailkeel_breakers_open: gauge('Destinations not attempted because they were unreachable.', 'source'),
  mailkeel_messages_in_doubt: gauge('Messages whose delivery is unknown.'),
  mailkeel_outbound_held: gauge('1 if live mail is on hold after a restore from a backup, otherwise 0.'),
  // The store
  mailkeel_commit_duration_seconds: histogram('Duration of durable database transactions.', COMMIT_SECONDS),
  mailkeel_commit_group_size: histogram('Writes grouped into one transaction.', GROUP_SIZES),
  mailkeel_store_unavailable_total: counter('Transactions that could not be written.'),
  mailkeel_store_statements_total: counter(
    'SQL statements run by the main thread. Read requests may run in other threads.',
  ),
  mailkeel_database_connections_missed_total: counter(
    'Times the main thread got no PostgreSQL connection within 5 seconds.',
  ),
  mailkeel_database_damaged: gauge('1 if the database is known to be damaged, otherwise 0.'),
  mailkeel_database_bytes: gauge('Size of the database file.'),
  mailkeel_database_log_bytes: gauge('Size of the write-ahead log.'),
  mailkeel_database_free_bytes: gauge('Reusable free pages in the database file.'),
  mailkeel_database_growth_bytes_per_day: gauge(
    'Daily growth of the database: median of up to 28 days. Absent before the fourth day.',
  ),
  mailkeel_disk_full_timestamp_seconds: gauge(
    'Predicted time when the disk of the data folder is full, as a Unix timestamp. Absent if none is predicted.',
  ),
  mailkeel_disk_free_bytes: gauge('Free space on the disk of the data folder, available to this user.'),
  mailkeel_disk_size_bytes: gauge('Size of the disk of the data folder.'),
  // Backups, which a database server makes by its own tools
  mailkeel_backup_last_success_timestamp_seconds: gauge(
    'End of the last successful backup, as a Unix timestamp. Absent before the first.',
  ),
  mailkeel_backup_due_timestamp_seconds: gauge(
    'Scheduled time of the next backup after the last successful one, as a Unix timestamp. Absent without a schedule.',
  ),
  mailkeel_backup_failed: gauge('1 if the last backup attempt failed, otherwise 0.'),
  // The replica of the embedded database; absent without one
  mailkeel_replica_lag_seconds: gauge('Age of the oldest change that the replica lacks. 0 if none.'),
  mailkeel_replica_waiting_bytes: gauge('Data on this machine waiting to be stored in the replica.'),
  mailkeel_replica_stored_bytes: gauge('Data stored in the replica since the start of the server.'),
  mailkeel_replica_last_stored_timestamp_seconds: gauge(
    'Time when changes were last stored in the replica, as a Unix timestamp. Absent before the first.',
  ),
  mailkeel_replica_generation: gauge(
    'Generation of the replica. Each begins with a full copy, after changes were made without the replica or a restore.',
  ),
  mailkeel_replica_away: gauge('1 if the replica does not respond, otherwise 0.'),
  mailkeel_replica_restorable: gauge('1 if the replica has a full copy of this generation, otherwise 0.'),
  mailkeel_replica_copy_timestamp_seconds: gauge(
    'Start of the last full copy, as a Unix timestamp. Absent before the first.',
  ),
  // Inbound mail
  mailkeel_inbound_waiting: gauge('Inbound messages waiting to be processed.'),
  mailkeel_inbound_parked: gauge('Inbound messages that could not be processed and need manual action.'),
  mailkeel_inbound_messages_total: counter('Inbound messages processed.', 'kind', 'outcome'),
  // Webhooks and consumers of events
  mailkeel_webhook_backlog: gauge('Pending webhook deliveries to enabled endpoints.'),
  mailkeel_webhook_lag_seconds: gauge(
    'Time that the oldest pending webhook delivery to an enabled endpoint has been due. 0 if none is due.',
  ),
  mailkeel_webhook_attempts_total: counter('Webhook delivery attempts.', 'result'),
  mailkeel_webhook_attempt_duration_seconds: histogram(
    'Duration of webhook delivery attempts.',
    WEBHOOK_SECONDS,
  ),
  mailkeel_consumer_lag_events: gauge(
    'Events not yet processed by a consumer of the event chains.',
    'consumer',
  ),
  // Tenants, keys, certificate, checks, jobs
  mailkeel_tenants: gauge('Sub-tenants.', 'state'),
  mailkeel_tenants_held: gauge('Sub-tenants that are warned, throttled or paused.', 'mode', 'state'),
  mailkeel_dkim_keys: gauge('DKIM keys.', 'state'),
  mailkeel_certificate_expiry_timestamp_seconds: gauge(
    'Expiration time of the TLS certificate in use, as a Unix timestamp.',
  ),
  mailkeel_preflight_checks: gauge('Results of the last host checks.', 'status'),
  mailkeel_job_last_success_timestamp_seconds: gauge(
    'Last successful run of a scheduled job, as a Unix timestamp.',
    'job',
  ),
  mailkeel_job_failures_total: counter('Failed runs of a scheduled job.', 'job'),
  // Telemetry itself
  mailkeel_store_read_timestamp_seconds: gauge(
    'Time when the values from the database were read, as a Unix timestamp.',
  ),
  mailkeel_telemetry_dropped_total: counter(
    'Dropped telemetry: log lines and spans if too many were queued, values of series with too many label sets.',
    'what',
  ),
  mailkeel_delivery_log_failures_total: counter('Failed writes to the delivery log.'),
  // On request: MAILKEEL_METRICS_PER_TENANT
  mailkeel_tenant_messages_accepted_total: counter('Messages accepted for sending, by sub-tenant.', 'tenant'),
  mailkeel_tenant_delivery_attempts_total: counter(
    'Delivery attempts by sub-tenant and result.',
    'tenant',
    'result',
  ),
} as const satisfies Record<string, Series>;

export type SeriesName = keyof typeof SERIES;
export type SeriesOf<K extends Series['kind']> = {
  [N in SeriesName]: (typeof SERIES)[N]['kind'] extends K ? N : never;
}[SeriesName];

/** Most label sets of one series. Further ones are counted as dropped. */
export const MAX_LABEL_SETS = 4_000;
