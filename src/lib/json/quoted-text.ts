// Texts as JSON strings. The bodies of a message are hashed twice while it is accepted, and quoting them is most of that work.

const LONG = 1_024;

/** As `JSON.stringify` of a string. */
export type QuoteText = (text: string) => string;

/** Quotes each long text once. Holds what it quoted: for the time of one request. */
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
