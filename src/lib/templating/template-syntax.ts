// Parses templates and only accepts the Handlebars syntax for mail: placeholders, if, unless, each, with,
// lookup, and value helpers. Refuses unknown helpers, partials and decorators.

import Handlebars from 'handlebars';

import { helperProblem, VALUE_HELPERS } from './template-helpers.js';
import { findPosition, scanTemplate, type TemplateProblem } from './template-scan.js';

export const BLOCK_HELPERS: readonly string[] = ['if', 'unless', 'each', 'with'];
const HELPERS: readonly string[] = [...BLOCK_HELPERS, 'lookup'];

export type ParsedTemplate =
  | { kind: 'parsed'; program: hbs.AST.Program }
  | { kind: 'problem'; problem: TemplateProblem };

// The package's types lack the optional parts: hash, branch, block parameters.
type Branches = { program?: hbs.AST.Program | null; inverse?: hbs.AST.Program | null };
type Call = { path: hbs.AST.Node; params: hbs.AST.Expression[]; hash?: hbs.AST.Hash | undefined };

class UnsupportedSyntax extends Error {
  constructor(
    message: string,
    readonly node: hbs.AST.Node,
  ) {
    super(message);
  }
}

/** Returns the syntax tree of a valid source, or the problem and its place. */
export function parseTemplate(source: string): ParsedTemplate {
  const scanned = scanTemplate(source);
  if (scanned !== null) return { kind: 'problem', problem: scanned };
  try {
    const program = Handlebars.parse(source);
    checkProgram(program);
    return { kind: 'parsed', program };
  } catch (error) {
    return { kind: 'problem', problem: toProblem(error, source) };
  }
}

function checkProgram(program: hbs.AST.Program): void {
  for (const statement of program.body) checkStatement(statement);
}

function checkStatement(statement: hbs.AST.Statement): void {
  switch (statement.type) {
    case 'ContentStatement':
    case 'CommentStatement':
      return;
    case 'MustacheStatement':
      checkMustache(statement as hbs.AST.MustacheStatement);
      return;
    case 'BlockStatement':
      checkBlock(statement as hbs.AST.BlockStatement);
      return;
    default:
      throw new UnsupportedSyntax('Partials and decorators are not available in mail templates.', statement);
  }
}

function checkMustache(mustache: hbs.AST.MustacheStatement): void {
  if (isCall(mustache)) {
    checkCall(mustache);
    return;
  }
  const name = simpleName(mustache.path);
  if (name !== null && HELPERS.includes(name)) {
    const hint = name === 'lookup' ? '{{lookup object key}}' : `{{#${name} …}} … {{/${name}}}`;
    throw new UnsupportedSyntax(`"${name}" is not a placeholder; write ${hint}.`, mustache);
  }
}

function checkBlock(block: hbs.AST.BlockStatement): void {
  const name = simpleName(block.path);
  if (name === null || !BLOCK_HELPERS.includes(name)) {
    const written = writtenName(block.path);
    throw new UnsupportedSyntax(
      `Unknown block "${written}"; the blocks are if, unless, each and with ({{#if ${written}}}, {{#each ${written}}}).`,
      block,
    );
  }
  if (block.params.length !== 1) {
    throw new UnsupportedSyntax(`{{#${name}}} needs exactly one value.`, block);
  }
  for (const pair of hashPairs(block)) {
    const known = pair.key === 'includeZero' && (name === 'if' || name === 'unless');
    if (!known) throw new UnsupportedSyntax(`{{#${name}}} has no option "${pair.key}".`, block);
    checkExpression(pair.value);
  }
  block.params.forEach(checkExpression);
  for (const program of blockPrograms(block)) {
    const reserved = namesBound(program).find((bound) => HELPERS.includes(bound));
    if (reserved !== undefined) {
      throw new UnsupportedSyntax(`"${reserved}" is reserved and cannot name a block parameter.`, block);
    }
    checkProgram(program);
  }
}

function checkExpression(expression: hbs.AST.Expression): void {
  if (expression.type === 'SubExpression') checkCall(expression as hbs.AST.SubExpression);
}

function checkCall(call: Call): void {
  const helper = valueHelper(call);
  if (helper === null) {
    checkLookup(call);
    return;
  }
  const options = hashPairs(call).map(({ key, value }) => ({ key, value: literalValue(value) }));
  const problem = helperProblem(helper, call.params.length, options);
  if (problem !== null) throw new UnsupportedSyntax(problem, call.path);
  call.params.forEach(checkExpression);
  hashPairs(call).forEach(({ value }) => checkExpression(value));
}

/** Returns the value helper that a call names, or `null`. */
export function valueHelper(call: Call): string | null {
  const name = isCall(call) ? simpleName(call.path) : null;
  return name !== null && VALUE_HELPERS.includes(name) ? name : null;
}

/** Returns the literal value, or `null` for a variable. */
function literalValue(expression: hbs.AST.Expression): string | number | null {
  const { type } = expression;
  if (type === 'StringLiteral' || type === 'NumberLiteral')
    return (expression as hbs.AST.StringLiteral | hbs.AST.NumberLiteral).value;
  return type === 'PathExpression' || type === 'SubExpression' ? null : type;
}

function checkLookup(call: Call): void {
  const name = writtenName(call.path);
  if (simpleName(call.path) !== 'lookup') {
    throw new UnsupportedSyntax(
      `"${name}" is not a known helper; a placeholder is one name, such as {{${name}}}. The helpers are lookup, ${VALUE_HELPERS.join(', ')}.`,
      call.path,
    );
  }
  if (call.params.length !== 2 || hashPairs(call).length > 0) {
    throw new UnsupportedSyntax('lookup needs exactly an object and a key.', call.path);
  }
  call.params.forEach(checkExpression);
}

/** Returns whether a placeholder or expression calls a helper, that is, has anything after its name. */
export function isCall(call: Call): boolean {
  return call.params.length > 0 || hashPairs(call).length > 0;
}

export function hashPairs(call: { hash?: hbs.AST.Hash | undefined }): hbs.AST.HashPair[] {
  return call.hash?.pairs ?? [];
}

/** Returns the existing branches of a block. */
export function blockPrograms(block: Branches): hbs.AST.Program[] {
  return [block.program, block.inverse].filter((branch) => branch !== undefined && branch !== null);
}

/** Returns the names after `as |…|`. */
export function namesBound(program: { blockParams?: string[] }): string[] {
  return program.blockParams ?? [];
}

/**
 * Returns the name of a path that is a single plain word and may name a helper; `null` for `a.b`, `../a`,
 * `this.a`, `@a`.
 */
function simpleName(path: hbs.AST.Node): string | null {
  if (path.type !== 'PathExpression') return writtenName(path);
  const { parts, data, depth, original } = path as hbs.AST.PathExpression;
  const [first] = parts;
  return parts.length === 1 && !data && depth === 0 && first === original ? first : null;
}

function writtenName(path: hbs.AST.Node): string {
  const written = (path as { original?: unknown }).original;
  return typeof written === 'string' ? written : path.type;
}

function toProblem(error: unknown, source: string): TemplateProblem {
  if (error instanceof UnsupportedSyntax) {
    const { line, column } = error.node.loc.start;
    return { line, column: column + 1, message: error.message };
  }
  if (!(error instanceof Error)) throw error;
  return parserProblem(error.message, source);
}

const PARSE_ERROR = /^(?:Parse|Lexical) error on line (\d+)[^]*?(?:got '([A-Z_]+)')?$/;

// Rewords the parser's errors, which name its internal tokens.
function parserProblem(message: string, source: string): TemplateProblem {
  const located = / - (\d+):(\d+)$/.exec(message);
  if (located !== null) {
    const sentence = message.slice(0, located.index);
    const mismatch = /^(.+) doesn't match (.+)$/s.exec(sentence);
    return {
      line: Number(located[1]),
      column: Number(located[2]) + 1,
      message:
        mismatch === null
          ? `${sentence}.`
          : `{{#${mismatch[1] ?? ''}}} is closed by {{/${mismatch[2] ?? ''}}}.`,
    };
  }
  const parsed = PARSE_ERROR.exec(message);
  const lastLine = findPosition(source, source.length).line;
  return { line: parsed === null ? lastLine : Number(parsed[1]), message: tokenSentence(parsed?.[2]) };
}

function tokenSentence(token = ''): string {
  switch (token) {
    case 'EOF':
      return 'A block that was opened is not closed before the template ends.';
    case 'OPEN_ENDBLOCK':
      return 'A block is closed here that was not opened.';
    case 'INVERSE':
    case 'OPEN_INVERSE_CHAIN':
      return 'There is an {{else}} here outside of any block, or a second one in the same block.';
    case 'CLOSE':
    case 'CLOSE_UNESCAPED':
    case 'INVALID':
      return 'A placeholder is empty, unfinished, or its braces do not match.';
    default:
      return 'This is not valid Handlebars syntax.';
  }
}
