// Tests how an import reads its body, however the body is split on the way.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEntries, type ImportEntries, type ImportEntry } from '../../src/suppressions/entries.js';

type Read = (bytes: AsyncIterable<Uint8Array>) => ImportEntries;

const csvEntries: Read = (bytes) => readEntries(bytes, { format: 'csv', charset: null });
const jsonLineEntries: Read = (bytes) => readEntries(bytes, { format: 'ndjson', charset: null });
const jsonArrayEntries: Read = (bytes) => readEntries(bytes, { format: 'json', charset: null });

async function* piecesOf(body: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) {
    await Promise.resolve();
    yield body.subarray(at, at + size);
  }
}

async function readAll(read: Read, body: string | Buffer, size = 65_536): Promise<ImportEntry[]> {
  const entries: ImportEntry[] = [];
  for await (const some of read(piecesOf(Buffer.from(body as string), size))) entries.push(...some);
  return entries;
}

/** `line:email reason tenant`, or `line!email: problem`. */
const brief = (entries: readonly ImportEntry[]): string[] =>
  entries.map((entry) =>
    'problem' in entry
      ? `${entry.line}!${entry.email ?? ''}: ${entry.problem}`
      : `${entry.line}:${entry.email} ${entry.reason} ${entry.subTenantId}`.trimEnd(),
  );

const LONG = 'y'.repeat(5000);

describe('a CSV body', () => {
  it.each<[string, string, string[]]>([
    ['an address a line', 'a@x.example\nb@x.example', ['1:a@x.example', '2:b@x.example']],
    ['a header', 'email\na@x.example\n', ['2:a@x.example']],
    [
      'columns in any order and case',
      'Reason,EMAIL,sub_tenant_id\nbounce,a@x.example,tnt_1\n',
      ['2:a@x.example bounce tnt_1'],
    ],
    [
      'what an export has besides',
      'email,reason,message_id,created_at\na@x.example,bounce,m,t',
      ['2:a@x.example bounce'],
    ],
    ['semicolons', 'email;reason\na@x.example;bounce\n', ['2:a@x.example bounce']],
    ['tabs', 'email\treason\na@x.example\tbounce\n', ['2:a@x.example bounce']],
    ['quotes', '"email"\n"a@x.example"\n', ['2:a@x.example']],
    ['every end of line', 'a@x\r\nb@x\rc@x\nd@x\r\n', ['1:a@x', '2:b@x', '3:c@x', '4:d@x']],
    ['blank lines', '\n \na@x\n\n,,\nb@x\n\n', ['3:a@x', '6:b@x']],
    ['a byte order mark', '\ufeffemail\na@x\n', ['2:a@x']],
    ['blanks around', ' email , reason \n a@x , bounce \n', ['2:a@x bounce']],
    ['an escaped formula', "email\n'+a@x\n", ['2:+a@x']],
    ['a missing cell', 'email,reason\na@x\n', ['2:a@x']],
    [
      'several columns without a header',
      'a@x,bounce\nb@x,\n',
      ['1!a@x: Files with several columns require a header row.', '2:b@x'],
    ],
    [
      'a quote that is not closed',
      'a@x\n"b@x\nc@x\n',
      ['1:a@x', '2!: The quotation marks of the row do not match.', '3:c@x'],
    ],
    [
      'text after a quote',
      'a@x\n"b@x"y\nc@x\n',
      ['1:a@x', '2!: The quotation marks of the row do not match.', '3:c@x'],
    ],
    [
      'text after a quote',
      'a@x\n"b@x"y\nc@x\n',
      ['1:a@x', '2!: The quotation marks of the row do not match.', '3:c@x'],
    ],
    [
      'a quoted line end',
      'a@x\n"b\n@x"\nc@x\n',
      ['1:a@x', '2!: The quotation marks of the row do not match.', '3:@x"', '4:c@x'],
    ],
    [
      'a line that is too long',
      `a@x\n${LONG}\nb@x\n`,
      ['1:a@x', '2!: The row is longer than 4 KiB.', '3:b@x'],
    ],
    ['a last line that is too long', `a@x\n${LONG}`, ['1:a@x', '2!: The row is longer than 4 KiB.']],
    ['nothing', '', []],
  ])('with %s', async (_name, body, expected) => {
    expect(brief(await readAll(csvEntries, body))).toEqual(expected);
    for (const size of [1, 2, 3, 7]) {
      expect(brief(await readAll(csvEntries, body, size)), `in pieces of ${size}`).toEqual(expected);
    }
  });

  it('may be UTF-16 if it declares that', async () => {
    const body = Buffer.from('\ufeffemail\treason\r\na@bücher.example\tbounce\r\n', 'utf16le');
    expect(brief(await readAll(csvEntries, body))).toEqual(['2:a@bücher.example bounce']);
    expect(brief(await readAll(csvEntries, body, 5))).toEqual(['2:a@bücher.example bounce']);
    expect(brief(await readAll(csvEntries, Buffer.from(body).swap16()))).toEqual([
      '2:a@bücher.example bounce',
    ]);
  });

  it.each([
    ['email,name\na@x\n', 'name'],
    ['email,sub_tenant\na@x\n', 'sub_tenant'],
    ['email,reason,reason\na@x\n', 'reason'],
  ])('with the unknown header %j is refused, naming the column', async (body, param) => {
    await expect(readAll(csvEntries, body)).rejects.toMatchObject({ code: 'validation_error', param });
  });
});

describe('a JSON body of lines', () => {
  it('has an object or an address per line, each checked separately', async () => {
    const body = [
      '{"email":"a@x","reason":"bounce","sub_tenant_id":"tnt_1"}',
      '"b@x"',
      '',
      '{"email":"c@x"',
      '{"email":"d@x","reason":null,"sub_tenant_id":null}',
      '{"email":"e@x","Cause":"bounce"}',
      '{"email":7}',
      '[1]',
      'null',
      '{"email":"f@x","reason":1}',
      '{"email":"g@x","sub_tenant_id":{}}',
      `{"email":"${LONG}"}`,
      '{"id":"sup_1","object":"suppression","email":"h@x","message_id":null,"created_at":"t"}',
    ].join('\n');
    expect(brief(await readAll(jsonLineEntries, body, 50))).toEqual([
      '1:a@x bounce tnt_1',
      '2:b@x',
      expect.stringMatching(/^4!: The row is not valid JSON: /),
      '5:d@x',
      '6!e@x: Cause is not a known field.',
      '7!: email must be a string.',
      '8!: The entry must be an email address or an object with an email field.',
      '9!: The entry must be an email address or an object with an email field.',
      '10!f@x: reason must be a string.',
      '11!g@x: sub_tenant_id must be a string.',
      '12!: The row is longer than 4 KiB.',
      '13:h@x',
    ]);
  });
});

describe('a JSON array', () => {
  it.each<[string, string[]]>([
    ['[]', []],
    [' [ ] ', []],
    ['["a@x"]', ['1:a@x']],
    ['\ufeff[\n{"email":"a@x"},\n{"email":"b@x","reason":"bounce"}\n]\n', ['1:a@x', '2:b@x bounce']],
    ['["a,]@x","b\\"]@x","c\\\\"]', ['1:a,]@x', '2:b"]@x', '3:c\\']],
    ['[{"email":"a@x","reason":["]",{"b":","}]},"b@x"]', ['1!a@x: reason must be a string.', '2:b@x']],
    ['["a@x",]', ['1:a@x', expect.stringMatching(/^2!: The row is not valid JSON: /) as string]],
    ['[nonsense,"b@x"]', [expect.stringMatching(/^1!: The row is not valid JSON: /) as string, '2:b@x']],
    [`["a@x","${LONG}","b@x"]`, ['1:a@x', '2!: The row is longer than 4 KiB.', '3:b@x']],
    [`["a@x","${LONG}"]`, ['1:a@x', '2!: The row is longer than 4 KiB.']],
  ])('%.40j', async (body, expected) => {
    for (const size of [65_536, 1, 2, 3, 7]) {
      expect(brief(await readAll(jsonArrayEntries, body, size)), `in pieces of ${size}`).toEqual(expected);
    }
  });

  it.each(['', '{"email":"a@x"}', 'x', '[] []', '["a@x"]]', '["a@x"', '["a@x', '[}"a@x"]'])(
    'is not %j',
    async (body) => {
      await expect(readAll(jsonArrayEntries, body)).rejects.toMatchObject({ code: 'bad_request' });
    },
  );

  it('is parsed like JSON.parse does, wherever it is split', async () => {
    const item = fc.oneof(
      fc.string(),
      fc.record({ email: fc.string(), reason: fc.option(fc.string()) }, { requiredKeys: ['email'] }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(item),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (items, size, spaced) => {
          const entries = await readAll(
            jsonArrayEntries,
            JSON.stringify(items, null, spaced ? 2 : undefined),
            size,
          );
          expect(entries).toEqual(
            items.map((one, i) => ({
              line: i + 1,
              email: typeof one === 'string' ? one : one.email,
              reason: typeof one === 'string' ? '' : (one.reason ?? ''),
              subTenantId: '',
            })),
          );
        },
      ),
    );
  });
});
