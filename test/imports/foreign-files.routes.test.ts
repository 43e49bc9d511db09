// Tests contact files as other programs write them: their encodings, headers and cells, and ways to send them.
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';

let rig: AudienceRig;
let shared: AudienceRig;
beforeAll(async () => {
  shared = await startAudienceRig({ runsTransfers: true });
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startAudienceRig({ beside: shared });
});
afterEach(() => rig.close());

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const NDJSON = 'application/x-ndjson';

describe('the encoding', () => {
  it.each<[string, string, Buffer]>([
    [
      'declared Windows-1252',
      'text/csv; charset=windows-1252',
      latin1('email,name\nj@x.example,J\xf6rg \x80\n'),
    ],
    [
      'declared ISO-8859-1',
      'text/csv; charset="ISO-8859-1"',
      latin1('email,name\nj@x.example,J\xf6rg \x80\n'),
    ],
    ['undeclared Windows-1252', 'text/csv', latin1('email,name\nj@x.example,J\xf6rg \x80\n')],
    ['Windows-1252 in the header', 'text/csv', latin1('email,Pr\xe9nom\nj@x.example,J\xf6rg \x80\n')],
    ['UTF-16LE with a mark', 'text/csv', utf16('email\tname\r\nj@x.example\tJörg €\r\n')],
    ['UTF-16BE with a mark', 'text/csv', utf16('email\tname\r\nj@x.example\tJörg €\r\n').swap16()],
    ['UTF-16LE declared as UTF-8', 'text/csv; charset=utf-8', utf16('email,name\nj@x.example,Jörg €\n')],
    ['UTF-8 with a mark', 'text/csv', Buffer.from('\ufeffemail,name\nj@x.example,Jörg €\n')],
    [
      'UTF-8 declared as ASCII',
      'text/csv; charset=us-ascii',
      Buffer.from('email,name\nj@x.example,Jörg €\n'),
    ],
    ['Windows-1252 in JSON lines', NDJSON, latin1('{"email":"j@x.example","name":"J\xf6rg \x80"}')],
    ['UTF-16 in a JSON array', 'application/json', utf16('[{"email":"j@x.example","name":"Jörg €"}]')],
  ])('%s is read', async (_name, type, body) => {
    expect(await rig.importFile(body, { type })).toMatchObject({
      status: 'completed',
      created: 1,
      failed: 0,
    });
    expect((await rig.contact('j@x.example')).name).toBe('Jörg €');
  });

  it('a declared encoding refuses rows in another one', async () => {
    const done = await rig.importFile(latin1('email,name\nj@x.example,J\xf6rg\na@x.example,Ann\n'), {
      type: 'text/csv; charset=utf-8',
    });
    expect(done).toMatchObject({ created: 1, failed: 1 });
  });
});

interface Case {
  name: string;
  file: string;
  type?: string;
  contacts: Record<string, unknown>[];
}
const CASES: Case[] = [
  {
    name: 'a first line that names the delimiter',
    file: 'sep=;\nemail;name\na@x.example;A\n',
    contacts: [{ email: 'a@x.example', name: 'A' }],
  },
  {
    name: 'pipes',
    file: 'email|name\na@x.example|Smith, Ann\n',
    contacts: [{ email: 'a@x.example', name: 'Smith, Ann' }],
  },
  {
    name: 'commas in a column name beside semicolons',
    file: 'Name, Anschrift;E-Mail\nBremen;a@x.example\n',
    contacts: [{ email: 'a@x.example', metadata: { 'Name, Anschrift': 'Bremen' } }],
  },
  {
    name: 'Brevo',
    file: 'CONTACT ID;EMAIL;LASTNAME;FIRSTNAME;SMS;CITY\n7;a@x.example;Smith;Ann;+49 170 1;Bremen\n',
    contacts: [
      {
        email: 'a@x.example',
        name: 'Ann Smith',
        phone: '+49 170 1',
        metadata: { 'CONTACT ID': '7', CITY: 'Bremen' },
      },
    ],
  },
  {
    name: 'Brevo in German',
    file: 'EMAIL;NACHNAME;VORNAME;SMS\na@x.example;Smith;Ann;+49 170 1\n',
    contacts: [{ email: 'a@x.example', name: 'Ann Smith', phone: '+49 170 1', metadata: {} }],
  },
  {
    name: 'a German address book',
    file: 'Vorname;Name;E-Mail-Adresse;Mobiltelefon;Schlagwörter\nAnn;Smith;a@x.example;0170 1;vip,neu\n',
    contacts: [
      { email: 'a@x.example', name: 'Ann Smith', phone: '0170 1', tags: ['vip', 'neu'], metadata: {} },
    ],
  },
  {
    name: 'a French one',
    file: 'Prénom,Nom,Adresse e-mail,Téléphone\nAnn,Smith,a@x.example,06\n',
    contacts: [{ email: 'a@x.example', name: 'Ann Smith', phone: '06', metadata: {} }],
  },
  {
    name: 'Google Contacts',
    file:
      'First Name,Middle Name,Last Name,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value\n' +
      'Ann,,Smith,* myContacts ::: Friends ::: VIP,* Work,a@x.example ::: b@x.example,c@x.example,Mobile,+49 1 ::: +49 2\n',
    contacts: [
      {
        email: 'a@x.example',
        name: 'Ann Smith',
        phone: '+49 1',
        tags: ['Friends', 'VIP'],
        metadata: {
          'E-mail 1 - Label': '* Work',
          'E-mail 2 - Value': 'c@x.example',
          'Phone 1 - Label': 'Mobile',
        },
      },
    ],
  },
  {
    name: 'the former Google Contacts',
    file: 'Name,Given Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value\nAnn Q. Smith,Ann,Smith,* myContacts,*,a@x.example\n',
    contacts: [
      { email: 'a@x.example', name: 'Ann Q. Smith', tags: [], metadata: { 'E-mail 1 - Type': '*' } },
    ],
  },
  {
    name: 'Outlook',
    file: 'First Name,Last Name,E-mail Address,E-mail 2 Address,Mobile Phone,Categories\nAnn,Smith,a@x.example,,+49 1,Customer;VIP\n',
    contacts: [
      { email: 'a@x.example', name: 'Ann Smith', phone: '+49 1', tags: ['Customer', 'VIP'], metadata: {} },
    ],
  },
  {
    name: 'Mailchimp',
    file: '"Email Address","First Name","Last Name",MEMBER_RATING,TAGS\na@x.example,Ann,Smith,2,"""vip"",""new"""\n',
    contacts: [
      { email: 'a@x.example', name: 'Ann Smith', tags: ['vip', 'new'], metadata: { MEMBER_RATING: '2' } },
    ],
  },
  {
    name: 'listmonk with attributes',
    file: 'uuid,email,name,attributes,status\nu1,a@x.example,Ann,"{""city"":""Bremen"",""n"":1}",enabled\n',
    contacts: [
      { email: 'a@x.example', name: 'Ann', status: 'active', metadata: { uuid: 'u1', city: 'Bremen', n: 1 } },
    ],
  },
  {
    name: 'attributes that are text',
    file: 'email,attributes\na@x.example,red\n',
    contacts: [{ email: 'a@x.example', metadata: { attributes: 'red' } }],
  },
  {
    name: 'Plunk',
    file: 'email,subscribed,data\na@x.example,TRUE,"{""plan"":""pro""}"\n',
    contacts: [{ email: 'a@x.example', status: 'active', metadata: { plan: 'pro' } }],
  },
  {
    name: 'tags as a JSON array',
    file: 'email,tags\na@x.example,"[""vip"",""a,b""]"\n',
    contacts: [{ email: 'a@x.example', tags: ['vip', 'a,b'] }],
  },
  {
    name: 'addresses with names',
    file: 'email\n"Ann Smith <a@x.example>"\n"""Smith, Bob"" <b@x.example>"\n<c@x.example>\n',
    contacts: [
      { email: 'a@x.example', name: 'Ann Smith' },
      { email: 'b@x.example', name: 'Smith, Bob' },
      { email: 'c@x.example', name: null },
    ],
  },
  {
    name: 'JSON lines with the names of other programs',
    file: '{"EMAIL":"a@x.example","firstName":"Ann","lastName":"Smith","attribs":{"city":"Bremen"},"tags":"vip,new","zip":null}',
    type: NDJSON,
    contacts: [
      { email: 'a@x.example', name: 'Ann Smith', tags: ['vip', 'new'], metadata: { city: 'Bremen' } },
    ],
  },
];

describe('a file of', () => {
  it.each(CASES)('of $name can be read', async ({ file, type = 'text/csv', contacts }) => {
    const done = await rig.importFile(Buffer.from(file), { type });
    expect(done).toMatchObject({ status: 'completed', created: contacts.length, failed: 0 });
    for (const contact of contacts)
      expect(await rig.contact(String(contact['email']))).toMatchObject(contact);
    expect((await rig.contact(String(contacts[0]?.['email']))).metadata).toEqual(
      contacts[0]?.['metadata'] ?? {},
    );
  });
});

describe('the mapping', () => {
  it('determines the fields of columns, and the others are guessed', async () => {
    const query = `?${new URLSearchParams({
      'columns[Kontakt]': 'email',
      'columns[Email]': 'metadata.private_email',
      'columns[Anrede]': 'ignore',
      'columns[Kunden-Nr.]': 'metadata.customer',
      'columns[Gruppe]': 'tags',
    }).toString()}`;
    const csv =
      'Kontakt;Email;Anrede;Vorname;Kunden-Nr.;Gruppe;Tags\na@x.example;b@x.example;Frau;Ann;17;vip;new\n';
    expect(await rig.importFile(csv, { query })).toMatchObject({ created: 1, failed: 0 });
    const contact = {
      name: 'Ann',
      tags: ['vip', 'new'],
      metadata: { private_email: 'b@x.example', customer: '17' },
    };
    expect(await rig.contact('a@x.example')).toMatchObject(contact);
    const json = JSON.stringify([
      { Kontakt: 'c@x.example', Email: 'b@x.example', Anrede: 'Frau', Vorname: 'Ann', 'Kunden-Nr.': '17' },
    ]);
    expect(await rig.importFile(json, { query, type: 'application/json' })).toMatchObject({ created: 1 });
    expect(await rig.contact('c@x.example')).toMatchObject({ name: 'Ann', metadata: contact.metadata });
  });

  it.each([
    ['columns[Mail]=email', 'columns.Mail', 'is not a column of the file'],
    ['columns[City]=town', 'columns.City', 'must be one of email'],
    ['columns[City]=metadata.', 'columns.City', 'must be one of email'],
    ['columns[City]=email&columns[email]=email', 'columns.City', 'email is the target of two columns'],
    ['columns[email]=ignore', 'body', 'including email'],
    ['columns=email', 'columns', 'must be an object'],
  ])('%s is refused', async (query, path, message) => {
    const refused = await rig.postImport('email,City\na@x.example,Bremen\n', { query: `?${query}` });
    expect(refused.status).toBe(422);
    expect(refused.json.error.details.fields).toMatchObject([
      { path, message: expect.stringContaining(message) as string },
    ]);
  });
});

interface Part {
  name: string;
  content: string | Buffer;
  file?: { name: string; type?: string };
}
const BOUNDARY = 'xXxBOUNDARYxXx';
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;

function formOf(...parts: Part[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ name, content, file }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file.name}"` : ''}\r\n` +
          `${file?.type === undefined ? '' : `Content-Type: ${file.type}\r\n`}\r\n`,
      ),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}

describe('the request body', () => {
  const csv = 'email,name\na@x.example,A\n';
  it.each<[string, string, string, string]>([
    ['text/plain', 'text/plain', csv, 'csv'],
    ['the type of Excel', 'application/vnd.ms-excel', csv, 'csv'],
    ['tab-separated values', 'text/tab-separated-values', csv.replaceAll(',', '\t'), 'csv'],
    ['octets', 'application/octet-stream', csv, 'csv'],
    ['JSON lines as text/plain', 'text/plain', '{"email":"a@x.example","name":"A"}\n', 'ndjson'],
    ['an array as text/plain', 'text/plain', '\n[{"email":"a@x.example","name":"A"}]', 'json'],
  ])('may be %s', async (_name, type, body, format) => {
    expect(await rig.importFile(body, { type })).toMatchObject({ created: 1, failed: 0, format });
    expect((await rig.contact('a@x.example')).name).toBe('A');
  });

  it('may be a form whose fields are parameters', async () => {
    const list = await rig.addList({ name: 'News' });
    const body = formOf(
      { name: 'list_id', content: list },
      { name: 'tags', content: 'fair,2026' },
      { name: 'columns[Kontakt]', content: 'email' },
      { name: 'columns[Vorname]', content: '' },
      { name: 'sub_tenant_id', content: '' },
      { name: 'file', content: latin1('Kontakt;Vorname\na@x.example;J\xf6rg\n'), file: { name: 'k.csv' } },
    );
    // In chunks that may split a delimiter anywhere.
    for (const size of [1, 7, 1000]) {
      const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, i) =>
        body.subarray(i * size, (i + 1) * size),
      );
      const done = await rig.importFile(Readable.from(pieces), { type: FORM });
      expect(done).toMatchObject({
        status: 'completed',
        processed: 1,
        failed: 0,
        list_id: list,
        tags: ['fair', '2026'],
      });
    }
    expect(await rig.contact('a@x.example')).toMatchObject({ name: 'Jörg', tags: ['fair', '2026'] });
  });

  it.each<[string, string | undefined, string]>([
    ['people.csv', 'application/vnd.ms-excel', 'email\na@x.example\n'],
    ['people.ndjson', 'application/octet-stream', '{"email":"a@x.example"}\n'],
    ['people.json', undefined, '[{"email":"a@x.example"}]'],
    ['people', 'application/json', '["a@x.example"]'],
  ])('of a form may have the file %s of type %s', async (name, type, content) => {
    const file = type === undefined ? { name } : { name, type };
    expect(await rig.importFile(formOf({ name: 'file', content, file }), { type: FORM })).toMatchObject({
      created: 1,
    });
  });

  const part: Part = { name: 'file', content: csv, file: { name: 'a.csv' } };
  it.each<[string, Buffer, number, string]>([
    ['has no file', formOf({ name: 'tags', content: 'a' }), 400, 'does not contain a file'],
    ['has two files', formOf(part, part), 400, 'more than one file'],
    [
      'has a field after the file',
      formOf(part, { name: 'tags', content: 'a' }),
      400,
      'field tags after the file',
    ],
    ['has an unknown field', formOf({ name: 'tag', content: 'a' }, part), 422, 'tag'],
    ['names a list that is not there', formOf({ name: 'list_id', content: 'lst_no' }, part), 422, 'list'],
    ['is cut off in the file', formOf(part).subarray(0, 120), 400, 'malformed or incomplete'],
    ['is cut off before the file', formOf(part).subarray(0, 40), 400, 'malformed or incomplete'],
    ['is no form', Buffer.from('email\n'), 400, 'form'],
  ])('of a form that %s is refused', async (_name, body, status, message) => {
    const refused = await rig.postImport(Readable.from([body]), { type: FORM });
    expect([refused.status, refused.json.error.message]).toEqual([status, expect.stringContaining(message)]);
    expect((await rig.program.ask('GET', '/v1/imports')).json.data).toEqual([]);
  });
});

describe('a preview', () => {
  const preview = (body: unknown, { query = '', type = 'text/csv' } = {}) =>
    rig.program.ask('POST', `/v1/imports/preview${query}`, { body, headers: { 'content-type': type } });

  it('shows the fields of the columns with values, and changes nothing', async () => {
    const csv = latin1(
      'E-Mail;Vorname;Stra\xdfe;Abgemeldet;Order Status;Anrede\na@x.example;J\xf6rg;A;ja;paid;Herr\nb@x.example;Ann;;;;\n',
    );
    const { status, json } = await preview(csv, { query: '?columns[Anrede]=ignore' });
    expect([status, json]).toEqual([
      200,
      {
        object: 'import_preview',
        format: 'csv',
        encoding: 'windows-1252',
        delimiter: ';',
        columns: [
          { name: 'E-Mail', becomes: 'email', samples: ['a@x.example', 'b@x.example'], warning: null },
          { name: 'Vorname', becomes: 'first_name', samples: ['Jörg', 'Ann'], warning: null },
          { name: 'Straße', becomes: 'metadata.Straße', samples: ['A'], warning: null },
          { name: 'Abgemeldet', becomes: 'status', samples: ['ja'], warning: null },
          {
            name: 'Order Status',
            becomes: 'metadata.Order Status',
            samples: ['paid'],
            warning: expect.stringContaining('Order Status') as string,
          },
          { name: 'Anrede', becomes: 'ignore', samples: ['Herr'], warning: null },
        ],
      },
    ]);
    expect((await rig.program.ask('GET', '/v1/contacts')).json.data).toEqual([]);
  });

  it.each<[string, Buffer, string, object]>([
    [
      'JSON lines',
      Buffer.from('{"email":"a@x.example","n":1}\n{"email":"b@x.exa'),
      NDJSON,
      { format: 'ndjson', encoding: 'utf-8' },
    ],
    [
      'an array that is cut off',
      Buffer.from('[{"email":"a@x.example","n":1},{"em'),
      'text/plain',
      { format: 'json' },
    ],
    ['UTF-16', utf16('email\tn\na@x.example\t1\n'), 'text/csv', { encoding: 'utf-16le', delimiter: '\t' }],
    [
      'a form',
      formOf({ name: 'file', content: 'email,n\na@x.example,1\n', file: { name: 'a.csv' } }),
      FORM,
      {},
    ],
  ])('reads %s', async (_name, body, type, expected) => {
    const { status, json } = await preview(body, { type });
    expect(status, JSON.stringify(json)).toBe(200);
    expect(json).toMatchObject(expected);
    expect(json.columns).toMatchObject([
      { name: 'email', becomes: 'email', samples: ['a@x.example'] },
      { name: 'n', becomes: 'metadata.n', samples: ['1'] },
    ]);
  });

  it('of a file without an address shows its columns', async () => {
    const { json } = await preview('Kontakt,Ort\na@x.example,Bremen\n');
    expect(json.columns).toMatchObject([{ becomes: 'metadata.Kontakt' }, { becomes: 'metadata.Ort' }]);
  });

  it('is refused for the same reasons as the import', async () => {
    expect((await preview('')).status).toBe(422);
    expect((await preview('{}', { type: 'application/json' })).status).toBe(400);
    expect((await preview('email\n', { query: '?columns[City]=email' })).status).toBe(422);
  });

  it('needs only the beginning of a file', async () => {
    const { status, json } = await preview(`email,name\n${'a@x.example,A\n'.repeat(20_000)}`);
    expect([status, json.columns.length]).toEqual([200, 2]);
  });
});
