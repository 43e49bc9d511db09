// Chooses the language that a request accepts (RFC 9110 section 12.5.4).

const MAX_RANGES = 20;

/**
 * Returns the known language with the highest weight; `null` if the header names none. `pt-PT` matches
 * `pt-BR`.
 */
export function acceptedLanguage<Language extends string>(
  header: string | undefined,
  known: readonly Language[],
): Language | null {
  const ranges = (header ?? '').slice(0, 500).split(',', MAX_RANGES).map(parseRange);
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  for (const { language } of wanted) {
    const found = known.find((one) => one.toLowerCase().split('-', 1)[0] === language);
    if (found !== undefined) return found;
  }
  return null;
}

function parseRange(text: string): { language: string; weight: number } {
  const [tag = '', ...rest] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = rest.map((part) => /^q=([01](?:\.\d{0,3})?)$/.exec(part)?.[1]).find((q) => q !== undefined);
  return { language: tag.split('-', 1)[0] ?? '', weight: weight === undefined ? 1 : Number(weight) };
}
