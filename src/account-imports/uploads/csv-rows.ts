// Rows of a CSV file of contacts by the names of its columns, read as imports of contacts read them.
import { mapColumns } from '../../imports/contact-columns.js';
import { CONTACT_ROW_LIMITS } from '../../imports/contact-row.js';
import { csvCells, readRow, streamRows } from '../../lib/rows/index.js';
import { unusableFile } from './upload.js';

const MAX_COLUMNS = 500;
/** Fields of which each row has one text. */
const TEXTS: ReadonlySet<string> = new Set(['email', 'name', 'first_name', 'last_name', 'phone']);

/** A row by what its columns are. `problem` is a sentence about a row that cannot be read. */
export interface CsvPerson {
  /** First row after the header is 2, unless cells contain line ends. */
  line: number;
  email: string;
  fullName: string;
  phone: string;
  tags: readonly string[];
  /** Values of all other columns that are not empty, by their names. */
  others: ReadonlyMap<string, string>;
  problem: string | null;
}

/** Yields the people of a file, and first the names of its columns. Throws a Refusal for a file without a header. */
export async function* readPeople(
  pieces: AsyncIterable<Uint8Array>,
  charset: string | null,
): AsyncGenerator<{ names: readonly string[]; people: CsvPerson[] }> {
  let read: ((cells: readonly string[], line: number) => CsvPerson) | null = null;
  let names: readonly string[] = [];
  const terms = { format: 'csv', charset, limits: CONTACT_ROW_LIMITS } as const;
  for await (const { file, rows } of streamRows(pieces, terms, unusableFile)) {
    const people: CsvPerson[] = [];
    for (const row of rows) {
      const content = readRow(row, file, CONTACT_ROW_LIMITS);
      if (read !== null) {
        const isRead = 'cells' in content;
        people.push(isRead ? read(content.cells, row.line) : unread(row.line, problemOf(content)));
        continue;
      }
      if (!('cells' in content) || content.cells.length > MAX_COLUMNS) {
        throw unusableFile('has no header row with column names');
      }
      names = content.cells.map((name) => name.trim());
      read = personReader(names);
    }
    yield { names, people };
  }
  if (read === null) throw unusableFile('is empty');
}

function problemOf(content: object): string {
  return 'problem' in content ? String(content.problem) : 'The row is not valid CSV.';
}

function unread(line: number, problem: string): CsvPerson {
  return { line, email: '', fullName: '', phone: '', tags: [], others: new Map(), problem };
}

function personReader(names: readonly string[]): (cells: readonly string[], line: number) => CsvPerson {
  const columns = mapColumns(names, {});
  return (cells, line) => {
    if (cells.length > names.length && cells.slice(names.length).some((cell) => cell !== '')) {
      return unread(line, `The row has ${cells.length} cells, but the header row has ${names.length}.`);
    }
    const texts: Record<string, string> = {};
    const tags: string[] = [];
    const others = new Map<string, string>();
    for (const [i, column] of columns.entries()) {
      const value = cells[i] ?? '';
      const name = names[i] ?? '';
      if (value === '' || name === '') continue;
      const field = column !== null && 'field' in column ? column.field : null;
      if (field === 'tags') tags.push(...csvCells(value, ',').filter((tag) => tag !== ''));
      else if (field !== null && TEXTS.has(field)) texts[field] = value;
      else others.set(name, value);
    }
    const { email = '', name, first_name: first = '', last_name: last = '', phone = '' } = texts;
    return { line, email, fullName: name ?? `${first} ${last}`.trim(), phone, tags, others, problem: null };
  };
}
