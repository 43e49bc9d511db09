// Tables and indexes of src/operations.
import type { Spelling } from '../../engine/engine.js';

export const operationsSchema = (t: Spelling): string[] => [
  `CREATE TABLE tls_results (
    day ${t.int} NOT NULL, domain TEXT NOT NULL, policy_type TEXT NOT NULL, policy TEXT NOT NULL,
    result_type TEXT NOT NULL, mx_host TEXT NOT NULL, sending_ip TEXT NOT NULL, receiving_ip TEXT NOT NULL,
    detail TEXT NOT NULL, sessions ${t.int} NOT NULL,
    PRIMARY KEY (day, domain, policy_type, policy, result_type, mx_host, sending_ip, receiving_ip))`,

  `CREATE TABLE tls_reports (
    day ${t.int} NOT NULL, domain TEXT NOT NULL, report_id TEXT NOT NULL, status TEXT NOT NULL,
    attempts ${t.int} NOT NULL, due_at ${t.int} NOT NULL, detail TEXT NOT NULL, created_at ${t.int} NOT NULL,
    sent_at ${t.int}, PRIMARY KEY (day, domain))`,
  `CREATE INDEX tls_reports_due ON tls_reports (due_at) WHERE status = 'pending'`,

  `CREATE TABLE retention_cursors (
    environment_id ${t.intKey}, done_up_to ${t.int} NOT NULL, mode TEXT NOT NULL)`,

  `CREATE TABLE retention_left (
    message_id ${t.intKey}, environment_id ${t.int} NOT NULL, due_at ${t.int} NOT NULL)`,
  `CREATE INDEX retention_left_due ON retention_left (environment_id, due_at)`,

  `CREATE TABLE deleted_messages (
    campaign_id TEXT NOT NULL, status TEXT NOT NULL, messages ${t.int} NOT NULL, PRIMARY KEY (campaign_id, status))`,

  `CREATE TABLE backups (
    name TEXT PRIMARY KEY, place TEXT NOT NULL, started_at ${t.int} NOT NULL, ended_at ${t.int} NOT NULL,
    size_bytes ${t.int}, with_keys ${t.int} NOT NULL, error TEXT)`,
  `CREATE INDEX backups_by_time ON backups (ended_at)`,

  `CREATE TABLE restores (
    epoch ${t.intKey}, copy_name TEXT NOT NULL, copied_at ${t.int} NOT NULL, restored_at ${t.int} NOT NULL,
    last_message_id ${t.int} NOT NULL, released_at ${t.int})`,

  `CREATE TABLE restored_chains (
    workspace_number ${t.int} NOT NULL, epoch ${t.int} NOT NULL, head_seq ${t.int} NOT NULL,
    PRIMARY KEY (workspace_number, epoch))`,

  `CREATE TABLE growth_samples (
    day ${t.intKey}, taken_at ${t.int} NOT NULL, file_bytes ${t.int} NOT NULL, free_bytes ${t.int} NOT NULL,
    log_bytes ${t.int} NOT NULL, disk_free_bytes ${t.int} NOT NULL)`,

  `CREATE TABLE table_sizes (
    name TEXT PRIMARY KEY, bytes ${t.int} NOT NULL, measured_at ${t.int} NOT NULL)`,

  `CREATE TABLE stored_files (
    folder TEXT NOT NULL, name TEXT NOT NULL, part ${t.int} NOT NULL, octets ${t.blob} NOT NULL,
    updated_at ${t.int} NOT NULL, PRIMARY KEY (folder, name, part))`,
];
