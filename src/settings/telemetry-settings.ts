// Settings of telemetry: metrics, delivery log, access log and traces.
import { port, type Setting } from '../lib/config/setting.js';

export const TELEMETRY_SETTINGS = {
  metrics: {
    env: 'MAILKEEL_METRICS',
    kind: 'bool',
    default: 'true',
    meaning: 'False: no metrics for Prometheus, and none of their memory (about 15 MB).',
  },
  metricsPort: {
    env: 'MAILKEEL_METRICS_PORT',
    ...port,
    default: '9090',
    meaning: 'Port of the metrics, and of a health probe of its own; 0 takes a free one.',
  },
  metricsHost: {
    env: 'MAILKEEL_METRICS_HOST',
    kind: 'string',
    default: '127.0.0.1',
    meaning:
      'Address that the metrics are served on. They ask for no key: keep it to networks that you trust.',
  },
  metricsPerTenant: {
    env: 'MAILKEEL_METRICS_PER_TENANT',
    kind: 'bool',
    default: 'false',
    meaning: 'Adds series for each sub-tenant: costs Prometheus memory where there are many.',
  },
  deliveryLog: {
    env: 'MAILKEEL_DELIVERY_LOG',
    kind: 'string',
    default: null,
    meaning:
      'File that gets a JSON line for each delivery attempt, each end without one and each inbound mail; - is standard output.',
  },
  deliveryLogSizeBytes: {
    env: 'MAILKEEL_DELIVERY_LOG_SIZE',
    kind: 'bytes',
    default: '100MiB',
    meaning: 'Size from which the file of the delivery log is kept as file.1 and a new one begun.',
  },
  deliveryLogFiles: {
    env: 'MAILKEEL_DELIVERY_LOG_FILES',
    kind: 'int',
    min: 1,
    max: 1000,
    default: '10',
    meaning: 'Files of the delivery log that are kept, with the one that is written.',
  },
  deliveryLogAddresses: {
    env: 'MAILKEEL_DELIVERY_LOG_ADDRESSES',
    kind: 'bool',
    default: 'false',
    meaning:
      'Writes whole addresses of senders and recipients into the delivery log, not their domains alone.',
  },
  accessLogShare: {
    env: 'MAILKEEL_ACCESS_LOG',
    kind: 'share',
    default: '100%',
    meaning:
      'Share of the requests to the API that are logged, at level info and 10 a second at most; answers of 500 and above are never left out for the share. 0% is off.',
  },
  otlpUrl: {
    env: 'MAILKEEL_OTLP_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    meaning:
      'Address that takes spans by OTLP over HTTP (JSON), such as http://collector:4318/v1/traces. None: off.',
  },
  otlpHeaders: {
    env: 'MAILKEEL_OTLP_HEADERS',
    kind: 'string',
    default: null,
    secret: true,
    meaning: 'Header fields for the collector: name=value, separated by commas.',
  },
  otlpShare: {
    env: 'MAILKEEL_OTLP_SHARE',
    kind: 'share',
    default: '5%',
    meaning: 'Share of the requests without a traceparent of their own that are traced.',
  },
} as const satisfies Record<string, Setting>;
