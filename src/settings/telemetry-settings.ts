// Settings of telemetry: metrics, delivery log, access log and traces.
import { port, type Setting } from '../lib/config/index.js';

export const TELEMETRY_SETTINGS = {
  metrics: {
    env: 'MAILKEEL_METRICS',
    kind: 'bool',
    default: 'true',
    meaning: 'Serve Prometheus metrics. Disabling them saves about 15 MB of memory.',
  },
  metricsPort: {
    env: 'MAILKEEL_METRICS_PORT',
    ...port,
    default: '9090',
    meaning: 'Port for metrics and a separate health probe. 0 selects a free port.',
  },
  metricsHost: {
    env: 'MAILKEEL_METRICS_HOST',
    kind: 'string',
    default: '127.0.0.1',
    meaning:
      'Address that metrics are served on. Metrics do not require authentication, so expose them only to trusted networks.',
  },
  metricsPerTenant: {
    env: 'MAILKEEL_METRICS_PER_TENANT',
    kind: 'bool',
    default: 'false',
    meaning: 'Add metrics for each sub-tenant. Increases the memory use of Prometheus.',
  },
  deliveryLog: {
    env: 'MAILKEEL_DELIVERY_LOG',
    kind: 'string',
    default: null,
    meaning:
      'File for the delivery log, with one JSON line per delivery attempt, final status without an attempt, and inbound message. - writes to standard output.',
  },
  deliveryLogSizeBytes: {
    env: 'MAILKEEL_DELIVERY_LOG_SIZE',
    kind: 'bytes',
    default: '100MiB',
    meaning: 'Size at which the delivery log file is rotated to file.1.',
  },
  deliveryLogFiles: {
    env: 'MAILKEEL_DELIVERY_LOG_FILES',
    kind: 'int',
    min: 1,
    max: 1000,
    default: '10',
    meaning: 'Number of delivery log files to keep, including the current one.',
  },
  deliveryLogAddresses: {
    env: 'MAILKEEL_DELIVERY_LOG_ADDRESSES',
    kind: 'bool',
    default: 'false',
    meaning: 'Write full sender and recipient addresses to the delivery log instead of domains only.',
  },
  accessLogShare: {
    env: 'MAILKEEL_ACCESS_LOG',
    kind: 'share',
    default: '100%',
    meaning:
      'Share of API requests to log at level info, up to 10 per second. Responses with status 500 and above are not sampled. 0% disables the log.',
  },
  otlpUrl: {
    env: 'MAILKEEL_OTLP_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    meaning:
      'OTLP/HTTP (JSON) endpoint for traces, for example http://collector:4318/v1/traces. Disabled if unset.',
  },
  otlpHeaders: {
    env: 'MAILKEEL_OTLP_HEADERS',
    kind: 'string',
    default: null,
    secret: true,
    meaning: 'Headers for the OTLP endpoint as name=value, separated by commas.',
  },
  otlpShare: {
    env: 'MAILKEEL_OTLP_SHARE',
    kind: 'share',
    default: '5%',
    meaning: 'Share of requests without a traceparent header that are traced.',
  },
} as const satisfies Record<string, Setting>;
