// English contractions of "not", written out, so that one bounce rule matches "could not be found" and "couldn't be found".

/** The apostrophe as typed, as typeset, as HTML spells it, or as a wrong character set leaves it. */
const CONTRACTION =
  /\b(are|ca|could|did|does|do|had|has|have|is|must|need|should|was|were|wo|would)n(?:['’‘ʼ`´?\uFFFD]|&#0?39;|&apos;|&rsquo;)t\b/gi;
const IRREGULAR: Readonly<Record<string, string>> = { ca: 'cannot', wo: 'will not' };

/** "isn't" as "is not", "can't" as "cannot"; everything else stays. Linear in the text. */
export function expandContractions(text: string): string {
  return text.replace(CONTRACTION, (_, verb: string) => IRREGULAR[verb.toLowerCase()] ?? `${verb} not`);
}
