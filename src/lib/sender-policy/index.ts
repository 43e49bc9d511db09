export { DMARC_DISPOSITIONS, type DmarcRecord } from './dmarc-record.rules.js';
export { type SpfFinding, type SpfResult, toSpfResult } from './spf.rules.js';
