export { DMARC_DISPOSITIONS, type DmarcRecord } from './dmarc-record.rules.js';
export { type SpfFinding, type SpfResult, spfResultOf } from './spf.rules.js';
