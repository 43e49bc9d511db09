// Recognizes links of a template that contain a value of each recipient, so that clicks on `…?id=17` and `…?id=18` count as one
// link, `…?id={{id}}`.
import { readAttributes, scanHtml } from '../lib/html/index.js';

/** A link with placeholders: its text, and the literals around them. */
export interface LinkForm {
  shown: string;
  literals: readonly string[];
}

/** Maximum links of one template that are examined, and placeholders of one link. */
const MAX_FORMS = 200;
const MAX_VALUES = 20;

/** A block with all that it holds, or a single placeholder. */
const PLACEHOLDER = /\{\{\{?[#^][^{}]*\}\}[^]*?\{\{\/[^{}]*\}\}|\{\{\{?[^{}]*\}?\}\}/g;
/** Stands for the placeholder of a number while the html is read: quotes in a placeholder do not end the attribute. */
const mark = (index: number): string => `\ue000${index}\ue001`;
/** Parameters at the end of a query. */
const UTM = /[?&]utm_[a-z]+=[^&#]*(?:&utm_[a-z]+=[^&#]*)*(?=#|$)/;
const MARK = /\ue000(\d+)\ue001/;

/**
 * Returns the links of a template with placeholders after a literal host, longest literals first. Leaves out a link that is only a
 * placeholder, because it may be a different page in each round of a loop.
 */
export function linkFormsIn(html: string): LinkForm[] {
  if (!html.includes('{{')) return [];
  const placeholders: string[] = [];
  const marked = html.replace(PLACEHOLDER, (placeholder) => mark(placeholders.push(placeholder) - 1));
  const forms = new Map<string, LinkForm>();
  for (const token of scanHtml(marked)) {
    if (forms.size >= MAX_FORMS) break;
    if (!(token.kind === 'open' && token.name === 'a') && !(token.kind === 'void' && token.name === 'area'))
      continue;
    const href = readAttributes(marked, token).get('href')?.trim();
    const pieces = href?.split(MARK) ?? [];
    const literals = pieces.filter((_piece, at) => at % 2 === 0);
    const [first = ''] = literals;
    if (literals.length < 2 || literals.length > MAX_VALUES + 1 || !/^https?:\/\/[^/?#]+[/?#]/i.test(first))
      continue;
    const shown = pieces
      .map((piece, at) => (at % 2 === 0 ? piece : (placeholders[Number(piece)] ?? '')))
      .join('');
    forms.set(shown, { shown, literals });
  }
  const lengthOf = ({ literals }: LinkForm): number => literals.join('').length;
  return [...forms.values()].sort((one, other) => lengthOf(other) - lengthOf(one));
}

/** Finds the form of a link, ignoring UTM parameters. Returns `null` for a link without placeholders. */
export function findLinkForm(url: string, forms: readonly LinkForm[]): string | null {
  const written = url.replace(UTM, '');
  return forms.find(({ literals }) => fits(url, literals) || fits(written, literals))?.shown ?? null;
}

function fits(url: string, literals: readonly string[]): boolean {
  const first = literals[0] ?? '';
  const last = literals.at(-1) ?? '';
  if (!url.startsWith(first) || !url.endsWith(last) || url.length < first.length + last.length) return false;
  const end = url.length - last.length;
  let at = first.length;
  for (const literal of literals.slice(1, -1)) {
    const found = url.indexOf(literal, at);
    if (found < 0) return false;
    at = found + literal.length;
  }
  return at <= end;
}
