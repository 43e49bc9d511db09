// The first rows of a file of contacts, for showing what its columns become. The server reads the whole.

/** So much of a file is looked at. */
const HEAD_BYTES = 64 * 1024;

export interface FileHead {
  columns: string[];
  sample: string[];
}

export async function headOf(file: File): Promise<FileHead> {
  const text = (await file.slice(0, HEAD_BYTES).text()).replace(/^\uFEFF/, '');
  return isJsonLines(file.name) ? jsonHead(text) : csvHead(text);
}

export function isJsonLines(name: string): boolean {
  return /\.(ndjson|jsonl)$/i.test(name);
}

function jsonHead(text: string): FileHead {
  try {
    const row: unknown = JSON.parse(text.slice(0, text.indexOf('\n') + 1 || undefined));
    const entries = Object.entries(row as Record<string, unknown>);
    return {
      columns: entries.map(([name]) => name),
      sample: entries.map(([, value]) => (typeof value === 'string' ? value : JSON.stringify(value))),
    };
  } catch {
    return { columns: [], sample: [] };
  }
}

function csvHead(text: string): FileHead {
  const line = text.split(/\r?\n/, 1)[0] ?? '';
  const separators = [',', ';', '\t'];
  const [separator = ','] = separators.toSorted((a, b) => line.split(b).length - line.split(a).length);
  const [columns = [], sample = []] = rowsOf(text, separator, 2);
  return { columns: columns.map((name) => name.trim()), sample };
}

/** The first rows of CSV; cells in quotes may hold separators, line ends and doubled quotes. */
export function rowsOf(text: string, separator: string, most: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    rows.push([...row, cell]);
    row = [];
    cell = '';
  };
  for (let at = 0; at < text.length && rows.length < most; at += 1) {
    const letter = text.charAt(at);
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === separator) {
      row.push(cell);
      cell = '';
    } else if (letter === '\n') endRow();
    else if (letter !== '\r') cell += letter;
  }
  if (rows.length < most && (cell !== '' || row.length > 0)) endRow();
  return rows;
}
