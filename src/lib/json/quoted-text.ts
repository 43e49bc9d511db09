// Quotes texts as JSON strings and remembers long ones. Accepting a message hashes its bodies twice, and
// quoting them is most of that work.

const LONG = 1_024;

/** Quotes a string like `JSON.stringify`. */
export type QuoteText = (text: string) => string;

/** Creates a quoter that quotes each long text once. It keeps the quoted texts, so use one per request. */
export function createQuotes(): QuoteText {
  const known: { text: string; json: string }[] = [];
  return (text) => {
    if (text.length < LONG) return JSON.stringify(text);
    const found = known.find((one) => one.text === text);
    if (found !== undefined) return found.json;
    const json = JSON.stringify(text);
    known.push({ text, json });
    return json;
  };
}
