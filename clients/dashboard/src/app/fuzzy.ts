// Finds names although a letter is wrong, missing or too many.

/** Lengths of a word from which one and two mistakes are forgiven. */
const ONE_MISTAKE = 4;
const TWO_MISTAKES = 7;

function mistakesIn(word: string): number {
  return word.length >= TWO_MISTAKES ? 2 : word.length >= ONE_MISTAKE ? 1 : 0;
}

/** Returns the smallest number of letters to change, insert, delete or swap to turn `word` into a prefix of `name`. */
function distanceToBeginning(word: string, name: string): number {
  let before: number[] = [];
  let row = Array.from({ length: name.length + 1 }, (_, at) => at);
  for (let i = 1; i <= word.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= name.length; j += 1) {
      const isSame = word[i - 1] === name[j - 1];
      let least = Math.min((row[j - 1] ?? 0) + (isSame ? 0 : 1), (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      const isSwapped = i > 1 && j > 1 && word[i - 1] === name[j - 2] && word[i - 2] === name[j - 1];
      if (isSwapped) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return Math.min(...row);
}

/** Returns how well a name matches the typed text, 0 being best; null if it does not match. */
export function fitOf(name: string, typed: string): number | null {
  const wanted = typed.trim().toLowerCase();
  const known = name.toLowerCase();
  if (known.includes(wanted)) return known.startsWith(wanted) ? 0 : 1;
  const names = known.split(/[\s,/-]+/);
  let worst = 0;
  for (const word of wanted.split(/\s+/)) {
    const best = Math.min(...names.map((one) => distanceToBeginning(word, one)));
    if (best > mistakesIn(word)) return null;
    worst = Math.max(worst, best);
  }
  return 1 + worst;
}
