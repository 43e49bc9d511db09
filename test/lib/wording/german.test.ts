// Finds sentences without a German translation. It reads them from the sources, so new ones are found.
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it, vi } from 'vitest';
import { GERMAN } from '../../../src/lib/wording/german.js';
import { createTranslator } from '../../../src/lib/wording/translate.js';
import { REFUSALS } from '../../../src/contract/refusal.js';
import { ADVICE, CAUSE_TEXTS, SITUATIONS } from '../../../src/outbound/explain/explain-advice.rules.js';

const ROOT = new URL('../../../', import.meta.url).pathname;
const german = createTranslator(GERMAN);

/** Returns the text of an expression, with `{}` for each value; null for other expressions. */
function textOf(node: ts.Expression): string | null {
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null;
  const parts = [textOf(node.left), textOf(node.right)];
  return parts.includes(null) ? null : parts.join('');
}

function expressionsOf(
  pattern: string,
  visit: (node: ts.Node, add: (text: string | null) => void) => boolean,
) {
  const texts = new Set<string>();
  for (const file of globSync(pattern, { cwd: ROOT, exclude: ['**/*.schema.ts', '**/*.routes.ts'] })) {
    const source = ts.createSourceFile(
      file,
      readFileSync(`${ROOT}${file}`, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const walk = (node: ts.Node): void => {
      if (visit(node, (text) => text !== null && texts.add(text))) ts.forEachChild(node, walk);
    };
    walk(source);
  }
  return [...texts].filter((text) => / \w|\w /.test(text) && /[a-z]{2}/.test(text));
}

/**
 * SQL, the log of a start, fragments after a permission's name, and sentences whose endings have their own
 * patterns.
 */
const NOT_SHOWN =
  /^(?:Publish \{\} \{\} record|SELECT|CASE|FROM|class IN|MAILKEEL_PUBLIC_URL uses http|view host)\b/;

/** Races, which are retried; the command `restore`; what alert mail adds to an alert; and confirmations. */
const NOT_KEPT =
  /another process|concurrent request|has gone on meanwhile|--none|no restore is awaiting|^(?:From \{\} to|Since|\{\} more alerts|You can agree for|If you did not expect)/;

/** Returns every sentence in the sources, except SQL, patterns, and descriptions of the API. */
function sentencesIn(pattern: string): string[] {
  const found = expressionsOf(pattern, (node, add) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return false;
    if (ts.isPropertyAssignment(node) && ['description', 'summary'].includes(node.name.getText()))
      return false;
    if (ts.isCallExpression(node) && /pattern|RegExp|log\./.test(node.expression.getText())) return false;
    // Faults are for the log.
    if (ts.isNewExpression(node) && /^(?:Type|Range)?Error$/.test(node.expression.getText())) return false;
    const isPart =
      !ts.isSourceFile(node) && ts.isBinaryExpression(node.parent) && textOf(node.parent) !== null;
    const text = ts.isExpression(node) ? textOf(node) : null;
    if (!isPart) add(text);
    // Parts of a joined text are not sentences, but their values may be.
    return text === null || !ts.isStringLiteralLike(node);
  });
  return found.filter((text) => !NOT_SHOWN.test(text));
}

/** Sentences with several endings, each of which is in the catalogue with its sentence. */
const ENDINGS = Object.keys(GERMAN).filter((text) => text.startsWith('Publish a'));

/** A sentence is known by its own pattern, or as the result of a pattern with any values. */
function isKnown(text: string): boolean {
  if (text in GERMAN || ENDINGS.some((ending) => ending.includes(text))) return true;
  const english = text.replaceAll('{}', 'x');
  const translated = german(english);
  return translated !== english && !hasEnglish(translated);
}

/** German around English words reveals a pattern that took the rest of an unknown sentence for its value. */
function hasEnglish(text: string): boolean {
  return /\b(?:the|a|of|with|and|or|this|such|must|at most|at least|only|without)\b/.test(
    text.replace(/`[^`]*`|„[^“]*“|"[^"]*"/g, ''),
  );
}

const unknownIn = (texts: readonly string[]): string[] => texts.filter((text) => !isKnown(text));

describe('German texts of the server', () => {
  it('exist for every situation, cause, advice and refusal', () => {
    const texts = [
      ...Object.values(ADVICE),
      ...Object.values(SITUATIONS).map(([text]) => text),
      ...Object.values(CAUSE_TEXTS).map(([text]) => text),
      ...Object.values(REFUSALS).map(({ meaning }) => meaning),
    ];
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.filter((text) => !(text in GERMAN))).toEqual([]);
  });

  it.each([
    'src/outbound/explain/explain*.rules.ts',
    'src/outbound/explain/advice-reach.rules.ts',
    'src/suppressions/suppression.rules.ts',
    'src/operations/preflight/*.ts',
    'src/domains/dns-advice.ts',
    'src/reputation/bulk-rules/*.rules.ts',
    'src/campaigns/preflight.rules.ts',
    'src/outbound/schedule/queue.view.ts',
  ])('exist for every sentence in %s', (pattern) => {
    expect(unknownIn(sentencesIn(pattern))).toEqual([]);
  });

  it('exist for the sentences that rows keep', () => {
    const texts = sentencesIn(
      'src/{account-imports,alerts,campaigns,contacts,imports,messages,outbound,sequences,suppressions,webhooks,lib/mime,lib/rows}/**/*.ts',
    ).filter((text) => /^(?:[A-Z]|\{\} ).* .*\.$/.test(text) && !NOT_KEPT.test(text));
    expect(texts.length).toBeGreaterThan(200);
    expect(unknownIn(texts)).toEqual([]);
  });

  it('exist for the sentences of refusals', () => {
    const texts = expressionsOf(
      'src/{account-imports,accounts,alerts,analytics,api,campaigns,contacts,domains,events,imports,lists,messages,share-links,suppressions,templates,sequences,tenants,webhooks}/**/*.ts',
      (node, add) => {
        if (ts.isNewExpression(node) && node.expression.getText() === 'Refusal') {
          const [, message] = node.arguments ?? [];
          if (message !== undefined) add(textOf(message));
        }
        if (ts.isPropertyAssignment(node) && node.name.getText() === 'message') add(textOf(node.initializer));
        // Rules return sentences about fields and leave the place to their callers.
        const text = ts.isExpression(node) ? textOf(node) : null;
        if (text !== null && /^must (?:be|have|not|match) /.test(text) && text.length > 12) add(text);
        return true;
      },
    );
    expect(texts.length).toBeGreaterThan(100);
    expect(unknownIn(texts)).toEqual([]);
  });

  it('have as many values as the English ones', () => {
    const placeholders = (text: string): number => (text.match(/\{\w*\}/g) ?? []).length;
    const unequal = Object.entries(GERMAN).filter(
      ([english, text]) => placeholders(english) !== placeholders(text),
    );
    expect(unequal).toEqual([]);
  });
});

describe('a translated text', () => {
  it('has the values of the English one, translated if they are sentences', () => {
    expect(german('Bounced: the mailbox does not exist.')).toBe(
      'Endgültig abgelehnt: das Postfach existiert nicht.',
    );
    expect(german("Not delivered yet (2 attempts): the recipient's mail server did not respond.")).toBe(
      'Noch nicht zugestellt (2 Versuche): der Mailserver des Empfängers hat nicht geantwortet.',
    );
    expect(
      german(
        'Attempt 2: deferred by mx.example.com (192.0.2.1) during RCPT TO, over TLS 1.3 (verified), from source "default": 451 4.7.1 Later. Next attempt at 2026-01-02T12:10:00.000Z.',
      ),
    ).toBe(
      'Versuch 2: zurückgestellt von mx.example.com (192.0.2.1) bei RCPT TO, über TLS 1.3 (geprüft), von Quelle „default“: 451 4.7.1 Later. Nächster Versuch um 2026-01-02T12:10:00.000Z.',
    );
  });

  it('names the values of a field as the API takes them', () => {
    expect(german('status: must be one of queued, sending, sent')).toBe(
      'status: muss einer dieser Werte sein: queued, sending, sent',
    );
    expect(german('must be "sent"')).toBe('muss „sent“ sein');
  });

  it('quotes the replies of mail servers word for word', () => {
    for (const reply of [
      '250 2.0.0 Queued at host',
      '550 5.7.1 Access denied, for spam',
      '450 4 messages',
      '421 over quota',
    ]) {
      expect(german(`Accepted by mx.example.com: ${reply}`)).toBe(`Angenommen von mx.example.com: ${reply}`);
    }
    expect(german('Bounced: 250 messages.')).toBe('Endgültig abgelehnt: 250 Nachrichten.');
  });

  it('does not search the catalog for each word of a long quotation', () => {
    const searches = (text: string): number => {
      const endings = vi.spyOn(String.prototype, 'startsWith');
      german(text);
      const { length } = endings.mock.calls;
      endings.mockRestore();
      return length / Object.keys(GERMAN).length;
    };
    for (const word of ['x, ', 'x. ', 'x: ', 'at x, ', 'over x, '])
      expect(searches(word.repeat(10_000))).toBeLessThan(120);
  });

  it('is unchanged if the catalog does not contain it', () => {
    for (const text of ['', 'Ann wrote this: is it here?', '451 4.7.1 Greylisted', '{}'])
      expect(german(text)).toBe(text);
  });
});
