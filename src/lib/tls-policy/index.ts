export { type DaneLookup, extractPublicKey, type TlsaRecord, tlsaText, usableTlsa } from './dane.rules.js';
export {
  buildStsPolicy,
  type InboundTlsRecord,
  inboundTlsRecords,
  MAX_POLICY_BYTES,
  parseStsPolicy,
  readStsRecords,
  type StsPolicy,
} from './mta-sts.rules.js';
export {
  checkTls,
  decideTls,
  quotedPolicy,
  type SeenTls,
  type StsLookup,
  type TlsDecision,
  type TlsNeed,
  type TlsNotice,
  type TlsPolicyLabel,
  type TlsVerdict,
} from './tls-policy.rules.js';
export { certificateProblem, type TlsProblem } from './tls-problem.rules.js';
export {
  buildTlsReport,
  DAY_MS,
  readTlsReportRecords,
  TLS_REPORT_TYPE,
  type TlsPolicyText,
  type TlsPolicyType,
  type TlsReport,
  type TlsReportDestination,
  tlsReportMail,
  type TlsReportMail,
  type TlsSessionCount,
} from './tls-report.rules.js';
