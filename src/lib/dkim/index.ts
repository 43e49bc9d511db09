export { sealArc } from './arc.js';
export { dkimRecordValue, sameDkimRecord } from './dkim-record.js';
export { dkimSelfTest, type DkimSigner, relaxedField, signMessage } from './dkim.js';
