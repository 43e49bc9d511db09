// Reads the rows of some tables from a dump of pg_dump or mysqldump as it arrives, as COPY data or INSERT statements. Memory holds
// one row at a time.
import {
  MAX_TOKEN_BYTES,
  SqlLexer,
  TokenTooLong,
  unescaped,
  type SqlDialect,
  type TokenKind,
} from './sql-lexer.js';
import { firstOctets } from './unpacked.js';
import { unusableFile } from './upload.js';

/** A row by the names of its columns. */
export interface DumpRow {
  /** Database of a dump with several; '' otherwise. */
  database: string;
  table: string;
  cells: ReadonlyMap<string, string | null>;
  /** Memory of the cells. */
  bytes: number;
}

interface DumpTerms {
  dialect: SqlDialect;
  isWanted(table: string, database: string): boolean;
}

/** Comments of the programs that write dumps, and their statement of the encoding. */
interface Marks {
  program: string;
  begin: RegExp;
  /** Its first group is the encoding. */
  encoding: RegExp;
  end: string;
}

const MARKS: Readonly<Record<SqlDialect, Marks>> = {
  postgresql: {
    program: 'pg_dump',
    begin: /PostgreSQL database (?:cluster )?dump/,
    encoding: /SET client_encoding = '([^']+)'/,
    end: '-- PostgreSQL database dump complete',
  },
  mysql: {
    program: 'mariadb-dump',
    begin: /-- (?:MariaDB|MySQL) dump/,
    encoding: /SET NAMES (\w+)/,
    end: '-- Dump completed',
  },
};
const UTF8 = /^(?:utf-?8|SQL_ASCII)/i;
/** Where the marks are. */
const HEAD_BYTES = 4096;
const TAIL_BYTES = 1024;
/** Values of a line of COPY data that are counted. */
const MAX_CELLS = 10_000;
/** Memory of a value beside its text. */
const CELL_BYTES = 64;
const TOO_LONG = 'has a row or table definitions larger than 16 MiB';

/** Yields rows in the order of the file. Throws a Refusal for another or an incomplete file, and for a row of unknown form. */
export async function* readSqlDump(
  pieces: AsyncIterable<Uint8Array>,
  terms: DumpTerms,
): AsyncGenerator<DumpRow[]> {
  const { program, begin, encoding, end } = MARKS[terms.dialect];
  const { head, all } = await firstOctets(pieces, HEAD_BYTES);
  const beginning = Buffer.from(head.subarray(0, HEAD_BYTES)).toString('latin1');
  if (!begin.test(beginning)) {
    throw unusableFile(`is not a dump that ${program} wrote as plain text, with comments`);
  }
  const [, charset = 'UTF8'] = encoding.exec(beginning) ?? [];
  if (!UTF8.test(charset)) throw unusableFile(`is encoded in ${charset}. Create the dump in UTF-8`);
  const statements = new Statements(terms);
  const lexer = new SqlLexer(terms.dialect, statements);
  let tail = Buffer.alloc(0);
  for await (const piece of all) {
    feed(lexer, piece, false);
    tail = Buffer.concat([tail, piece]).subarray(-TAIL_BYTES);
    const rows = statements.taken();
    if (rows.length > 0) yield rows;
  }
  feed(lexer, new Uint8Array(0), true);
  yield statements.taken();
  if (statements.isOpen || !tail.toString('latin1').includes(end)) {
    throw unusableFile(
      `is incomplete, because it does not end with the line "${end}". Create the dump again`,
    );
  }
}

function feed(lexer: SqlLexer, piece: Uint8Array, isLast: boolean): void {
  try {
    lexer.feed(piece, isLast);
  } catch (error) {
    throw error instanceof TokenTooLong ? unusableFile(TOO_LONG) : error;
  }
}

type Cell = string | null;

/** The part of a statement that the next token belongs to. */
type Part = 'start' | 'ignored' | 'use' | 'create' | 'definition' | 'insert' | 'columns' | 'values' | 'copy';

const NOT_COLUMNS = new Set([
  ...['constraint', 'primary', 'unique', 'key', 'index', 'fulltext', 'spatial'],
  ...['check', 'foreign', 'exclude', 'like', 'period'],
]);

class Statements {
  readonly #terms: DumpTerms;
  readonly #columnsOf = new Map<string, string[]>();
  #rows: DumpRow[] = [];
  #database = '';
  #part: Part = 'start';
  /** The names since the beginning of the statement, or its first word. */
  #table = '';
  #columns: string[] = [];
  #depth = 0;
  #isFirst = true;
  #isWanted = false;
  #cells: Cell[] = [];
  #cell: Cell = null;
  #rowBytes = 0;
  #columnBytes = 0;
  /** Memory of `#columnsOf`. */
  #definedBytes = 0;
  isCopyNext = false;

  constructor(terms: DumpTerms) {
    this.#terms = terms;
  }

  get wantsContent(): boolean {
    if (this.#isWanted) return true;
    return this.#part !== 'values' && this.#part !== 'ignored' && !this.isCopyNext;
  }

  /** Whether the last statement has no end. */
  get isOpen(): boolean {
    return this.#part !== 'start';
  }

  /** Returns the rows since the last call. */
  taken(): DumpRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  take(kind: TokenKind, text: string): void {
    if (kind === 'copied') {
      this.#copied(text);
      return;
    }
    if (kind === 'sign' && text === ';') {
      this.#end();
      return;
    }
    switch (this.#part) {
      case 'start':
        this.#start(text.toLowerCase());
        break;
      case 'use':
        this.#database = text;
        break;
      case 'create':
      case 'insert':
      case 'copy':
        this.#name(kind, text);
        break;
      case 'columns':
      case 'definition':
        this.#column(kind, text);
        break;
      case 'values':
        this.#value(kind, text);
        break;
      case 'ignored':
    }
  }

  #start(word: string): void {
    this.#part =
      word === 'insert' || word === 'replace'
        ? 'insert'
        : word === 'create' || word === 'copy' || word === 'use'
          ? word
          : 'ignored';
    this.#table = '';
    this.#columns = [];
    this.#columnBytes = 0;
    this.#isFirst = true;
    this.#depth = 0;
    this.#isWanted = false;
    this.isCopyNext = false;
  }

  /** Reads up to the name of the table, and then to its columns or values. */
  #name(kind: TokenKind, text: string): void {
    const word = kind === 'word' ? text.toLowerCase() : '';
    if (kind === 'sign' && text === '(') {
      const isDefined = this.#part === 'create' && this.#terms.isWanted(this.#table, this.#database);
      this.#part = isDefined ? 'definition' : this.#part === 'create' ? 'ignored' : 'columns';
      this.#depth = 1;
      this.#isFirst = true;
    } else if (word === 'values' || word === 'from') {
      this.#begin(word === 'from');
    } else if (
      this.#part === 'create' &&
      this.#table === '' &&
      /^(?:table|temporary|unlogged|if|not|exists)$/.test(word)
    ) {
      if (word === 'table') this.#isFirst = false;
    } else if (this.#part === 'create' && this.#isFirst) {
      // Not a table.
      this.#part = 'ignored';
    } else if (!/^(?:into|ignore|low_priority|delayed|overriding|system|value)$/.test(word)) {
      // The last part of a qualified name.
      this.#table = kind === 'word' ? (text.split('.').pop() ?? text) : text;
    }
  }

  #column(kind: TokenKind, text: string): void {
    if (kind === 'sign') {
      if (text === '(') this.#depth++;
      if (text === ')') this.#depth--;
      if (text === ',' && this.#depth === 1) this.#isFirst = true;
      if (this.#depth > 0) return;
      if (this.#part === 'definition') {
        this.#definedBytes += this.#columnBytes;
        if (this.#definedBytes > MAX_TOKEN_BYTES) throw new TokenTooLong();
        this.#columnsOf.set(this.#key(), this.#columns);
        this.#part = 'ignored';
      } else this.#part = 'insert';
      return;
    }
    if (!this.#isFirst || this.#depth !== 1) return;
    this.#isFirst = false;
    if (kind !== 'name' && NOT_COLUMNS.has(text.toLowerCase())) return;
    this.#columnBytes += text.length + CELL_BYTES;
    if (this.#columnBytes > MAX_TOKEN_BYTES) throw new TokenTooLong();
    this.#columns.push(text);
  }

  /** The rows of the table begin. */
  #begin(isCopy: boolean): void {
    this.#part = 'values';
    this.#depth = 0;
    this.isCopyNext = isCopy;
    this.#isWanted = this.#terms.isWanted(this.#table, this.#database);
    if (!this.#isWanted || this.#columns.length > 0) return;
    const known = this.#columnsOf.get(this.#key());
    if (known === undefined) {
      throw unusableFile(
        `does not name the columns of the table ${this.#table}. Create the dump with table definitions`,
      );
    }
    this.#columns = known;
  }

  #value(kind: TokenKind, text: string): void {
    if (!this.#isWanted || this.isCopyNext) return;
    if (kind !== 'sign') {
      if (this.#depth > 0) this.#cell = kind === 'word' ? wordValue(text) : text;
      return;
    }
    if (text === '(' && ++this.#depth === 1) [this.#cells, this.#cell, this.#rowBytes] = [[], null, 0];
    if (text === ',' && this.#depth === 1) this.#endCell();
    if (text === ')' && --this.#depth === 0) {
      this.#endCell();
      this.#add(this.#cells, this.#rowBytes);
    }
  }

  #endCell(): void {
    this.#rowBytes += (this.#cell?.length ?? 0) + CELL_BYTES;
    if (this.#rowBytes > MAX_TOKEN_BYTES) throw new TokenTooLong();
    this.#cells.push(this.#cell);
    this.#cell = null;
  }

  #copied(line: string): void {
    if (!this.#isWanted) return;
    const cells = line.split('\t', MAX_CELLS);
    const bytes = line.length + cells.length * CELL_BYTES;
    this.#add(
      cells.map((cell) => (cell === '\\N' ? null : unescaped(cell))),
      bytes,
    );
  }

  #add(cells: readonly Cell[], bytes: number): void {
    if (cells.length !== this.#columns.length) {
      throw unusableFile(
        `has a row of the table ${this.#table} with ${cells.length} values instead of ${this.#columns.length}`,
      );
    }
    this.#rows.push({
      database: this.#database,
      table: this.#table,
      cells: new Map(this.#columns.map((name, i) => [name, cells[i] ?? null])),
      bytes,
    });
  }

  #end(): void {
    // The data of COPY follows its statement.
    if (this.#part !== 'values') this.isCopyNext = false;
    if (!this.isCopyNext) this.#isWanted = false;
    this.#part = 'start';
  }

  #key(): string {
    return `${this.#database}.${this.#table}`;
  }
}

/** A number, a keyword or a hexadecimal string. */
function wordValue(word: string): Cell {
  if (/^null$/i.test(word)) return null;
  return /^0x(?:[0-9a-f]{2})+$/i.test(word) ? Buffer.from(word.slice(2), 'hex').toString('utf8') : word;
}
