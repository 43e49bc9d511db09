// Which variables a template reads, named as the sender has to supply them.

import { BLOCK_HELPERS, namesBound, programsOf } from './template-syntax.js';

/** What names mean at one place: the path of `this` (null when it cannot be named) and the block parameters. */
type Scope = { self: string[] | null; bound: ReadonlyMap<string, string[] | null>; outer: Scope | null };

/** Always the service's own link: inside a loop, too, this name means no field of the data. */
export const UNSUBSCRIBE_URL = 'unsubscribe_url';

export type NamesRead = {
  names: string[];
  /** By the node that reads it, the name; nodes that read what has no name are not there. */
  nameOf: ReadonlyMap<hbs.AST.Node, string>;
};

type Found = { names: Set<string>; nameOf: Map<hbs.AST.Node, string> };

/**
 * The dotted names in the order of their first use: `user.name`; inside `{{#each items}}` or `{{#with items}}`
 * a `name` is `items.name`. Loop data (`@index`) is left out, and so is what only the data can tell.
 */
export function namesIn(program: hbs.AST.Program): NamesRead {
  const found: Found = { names: new Set(), nameOf: new Map() };
  walk(program, { self: [], bound: new Map(), outer: null }, found);
  return { names: [...found.names], nameOf: found.nameOf };
}

function walk(program: hbs.AST.Program, scope: Scope, found: Found): void {
  for (const statement of program.body) {
    if (statement.type === 'MustacheStatement') {
      const { path, params } = statement as hbs.AST.MustacheStatement;
      if (params.length === 0) note(path, scope, found);
      params.forEach((param) => note(param, scope, found));
    } else if (statement.type === 'BlockStatement') {
      walkBlock(statement as hbs.AST.BlockStatement, scope, found);
    }
  }
}

function walkBlock(block: hbs.AST.BlockStatement, scope: Scope, found: Found): void {
  const [subject] = block.params;
  const path = subject === undefined ? null : note(subject, scope, found);
  const isContext = block.path.original === 'each' || block.path.original === 'with';
  for (const program of programsOf(block)) {
    const entered = isContext && BLOCK_HELPERS.includes(block.path.original) && program === block.program;
    walk(program, entered ? inner(program, path, scope) : scope, found);
  }
}

function inner(program: hbs.AST.Program, self: string[] | null, outer: Scope): Scope {
  const bound = new Map<string, string[] | null>(outer.bound);
  namesBound(program).forEach((name, index) => bound.set(name, index === 0 ? self : null));
  return { self: self !== null && self.length > 0 ? self : null, bound, outer };
}

/** Records the name that an expression reads and returns its full path, null when it has none. */
function note(node: hbs.AST.Node, scope: Scope, found: Found): string[] | null {
  if (node.type === 'SubExpression') {
    (node as hbs.AST.SubExpression).params.forEach((param) => note(param, scope, found));
    return null;
  }
  if (node.type !== 'PathExpression') return null;
  const path = resolve(node as hbs.AST.PathExpression, scope);
  if (path !== null && path.length > 0) {
    const name = path.join('.');
    found.names.add(name);
    found.nameOf.set(node, name);
  }
  return path;
}

function resolve(path: hbs.AST.PathExpression, scope: Scope): string[] | null {
  const parts = path.parts;
  if (readsUnsubscribeUrl(path)) return [UNSUBSCRIBE_URL];
  const [first, ...rest] = parts;
  if (path.data) return first === 'root' ? rest : null;
  const isThis = /^(?:\.|this\b)/.test(path.original);
  if (path.depth === 0 && !isThis && first !== undefined && scope.bound.has(first)) {
    const bound = scope.bound.get(first) ?? null;
    return bound === null ? null : [...bound, ...rest];
  }
  let at: Scope | null = scope;
  for (let up = path.depth; up > 0 && at !== null; up--) at = at.outer;
  return at === null || at.self === null ? null : [...at.self, ...parts];
}

/** `unsubscribe_url`, `this.unsubscribe_url`, `../unsubscribe_url`; not `item.unsubscribe_url`, a value of another name. */
export function readsUnsubscribeUrl({ parts, data }: hbs.AST.PathExpression): boolean {
  return !data && parts.length === 1 && parts[0] === UNSUBSCRIBE_URL;
}
