// Recognizes sentences for developers, which name parts of the API that no page shows.

const API_WORDS =
  /`|\/v1\/|=true\b|\b(?:PATCH|POST|PUT|GET|DELETE) |\b[a-z]+(?:_[a-z]+)+\b|\bX-[A-Z]|\bIdempotency-Key\b|\bIf-Match\b|\bRetry-After\b|\b[Hh]eaders? (?:field|does|contradicts|conflicts)|\bdetails\./;

/** Whether a sentence names a field, a header or an operation of the API. Quotations and settings of the server do not count. */
export function namesApi(sentence: string): boolean {
  return API_WORDS.test(sentence.replace(/"[^"]*"|„[^“]*“|\S+@\S+|MAILKEEL_\S+/g, ''));
}
