// Tests that every visible text is in the catalogue, in both languages.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../src', import.meta.url));
const TEXTS = join(SOURCE, 'texts');
/** Attributes that are read out or shown. */
const SPOKEN = [
  'label',
  'title',
  'placeholder',
  'description',
  'alt',
  'aria-label',
  'submit',
  'action',
  'hint',
  'about',
];
/** Names that are the same in every language. */
const NAMES = ['Mailkeel', 'curl', 'TypeScript', 'CLI', 'Ctrl K', 'English', 'Deutsch', 'JSON', 'OK', 'HTML'];

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });

describe('texts of the dashboard', () => {
  it('are in the catalogue and nowhere else', () => {
    const found = files.filter((name) => name.endsWith('.tsx')).flatMap(literalsOf);
    expect(found).toEqual([]);
  });

  it('are there in German for each part', () => {
    const parts = readdirSync(TEXTS).filter((name) => name.endsWith('.ts'));
    expect(readdirSync(join(TEXTS, 'de')).toSorted()).toEqual(parts.toSorted());
  });

  it('are not left in English', () => {
    const same: string[] = [];
    for (const name of readdirSync(join(TEXTS, 'de'))) {
      const english = stringsOf(join(TEXTS, name));
      const german = stringsOf(join(TEXTS, 'de', name));
      // A sentence that is the same in both was forgotten.
      same.push(...german.filter((text) => text.split(' ').length > 3 && english.includes(text)));
    }
    expect(same).toEqual([]);
  });

  it('name no path, header or field of the API', () => {
    const found = ['', 'de/'].flatMap((folder) =>
      readdirSync(join(TEXTS, folder))
        .filter((name) => name.endsWith('.ts'))
        .flatMap((name) => wordsOf(join(TEXTS, folder, name)).map((word) => `${folder}${name}: ${word}`)),
    );
    expect(found).toEqual([]);
  });
});

const API_WORDS = /\/v1\/\S*|\bX-[A-Z][\w-]+|\b[a-z]+(?:_[a-z]+)+\b/g;
/** Columns of files and placeholders of templates, which people type. */
const TYPED = ['confirmation_url', 'list_name', 'sub_tenant_id'];

/** Words of the API in the texts of a file; placeholders in braces are typed. */
function wordsOf(path: string): string[] {
  const file = parsed(path);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isKey = ts.isPropertyAssignment(node) && !ts.isIdentifier(node.name);
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    )
      found.push(...Array.from(node.text.replace(/\{\{.*?\}\}/g, '').matchAll(API_WORDS), ([word]) => word));
    if (isKey) visit(node.initializer);
    else if (!ts.isImportDeclaration(node) && !ts.isTypeNode(node)) ts.forEachChild(node, visit);
  };
  visit(file);
  return found.filter((word) => !TYPED.includes(word));
}

/** Without parent links and comments, which the tests do not need. */
function parsed(path: string): ts.SourceFile {
  const { ESNext } = ts.ScriptTarget;
  const options = { languageVersion: ESNext, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), options);
}

/** Texts between tags, and of attributes that people meet. */
function literalsOf(name: string): string[] {
  const file = parsed(join(SOURCE, name));
  const found: string[] = [];
  const note = (text: string): void => {
    const words = text.trim();
    if (/\p{L}{2}/u.test(words) && !NAMES.includes(words) && !/^#[0-9a-f]{6}$/.test(words))
      found.push(`${name}: ${words}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) note(node.text);
    if (ts.isJsxAttribute(node) && SPOKEN.includes(node.name.getText(file))) {
      const { initializer } = node;
      if (initializer !== undefined && ts.isStringLiteral(initializer)) note(initializer.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function stringsOf(path: string): string[] {
  const file = parsed(path);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer))
      found.push(node.initializer.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
