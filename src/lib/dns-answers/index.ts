export {
  type AddressFamily,
  canonicalHost,
  type DnsAnswer,
  type DnsFailure,
  labelsBelow,
  type MxRecord,
} from './dns-answer.rules.js';
export {
  answerFromZone,
  REFUSED,
  type SoaRecord,
  type ZoneAnswer,
  type ZoneQuestion,
  type ZoneQuestionType,
  type ZoneRecord,
} from './zone-answer.rules.js';
