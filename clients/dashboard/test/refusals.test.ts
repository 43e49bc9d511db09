// Tests that the dashboard has its own sentences for refusals whose sentences name parts of the API.
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { REFUSALS } from '../../../src/contract/refusal.js';
import { ADVICE, CAUSE_TEXTS, SITUATIONS } from '../../../src/outbound/explain/explain-advice.rules.js';
import { ACTS } from '../../../src/outbound/explain/advice-reach.rules.js';
import { namesApi } from '../src/data/api-words.js';

const ROOT = new URL('../../../', import.meta.url).pathname;
/** Of operations that the dashboard does not call, or that cannot occur there. */
const NOT_MET = ['cursor_ahead', 'method_not_allowed', 'bad_request'];

/** Returns the text of an expression with `x` for each value; null for other expressions. */
function textOf(node: ts.Node | undefined): string | null {
  if (node === undefined) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('');
  return null;
}

/** The sentences of refusals, with their codes. */
function refusalsOf(pattern: string): [code: string, text: string][] {
  const found: [string, string][] = Object.entries(REFUSALS).map(([code, { meaning }]) => [code, meaning]);
  for (const file of globSync(pattern, { cwd: ROOT })) {
    const source = ts.createSourceFile(
      file,
      readFileSync(`${ROOT}${file}`, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const walk = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText() === 'Refusal') {
        const [code, text] = (node.arguments ?? []).map(textOf);
        if (typeof code === 'string' && typeof text === 'string') found.push([code, text]);
      }
      ts.forEachChild(node, walk);
    };
    walk(source);
  }
  return found;
}

/** The dashboard's sentences by code, in one language. */
function codesIn(name: string): Map<string, string> {
  const file = `${ROOT}clients/dashboard/src/texts/${name}`;
  const source = ts.createSourceFile(name, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const texts = new Map<string, string>();
  const walk = (node: ts.Node): void => {
    const text = ts.isPropertyAssignment(node) ? textOf(node.initializer) : null;
    if (ts.isPropertyAssignment(node) && text !== null) texts.set(node.name.getText(), text);
    if (!ts.isPropertyAssignment(node) || node.name.getText() !== 'fields') ts.forEachChild(node, walk);
  };
  walk(source);
  return texts;
}

const english = codesIn('refusals.ts');
const german = codesIn('de/refusals.ts');

it('exist for each code', () => {
  const naming = refusalsOf('src/!(compat|relay)/**/*.ts').filter(([, text]) => namesApi(text));
  expect(naming.length).toBeGreaterThan(10);
  const missing = naming.filter(([code]) => !english.has(code) && !NOT_MET.includes(code));
  expect(missing.map(([code, text]) => `${code}: ${text}`)).toEqual([]);
});

it('name no part of the API themselves', () => {
  expect([...english.values(), ...german.values()].filter(namesApi)).toEqual([]);
});

it('are not needed for explanations and advice, whose words fit every reader', () => {
  const texts = [
    ...[...Object.values(ADVICE), ...Object.values(ACTS)],
    ...[...Object.values(SITUATIONS), ...Object.values(CAUSE_TEXTS)].map(([text]) => text),
  ];
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter(namesApi)).toEqual([]);
});
