// listmonk, read from a plain dump of its PostgreSQL database.
import { parseMeasured } from '../../lib/json/index.js';
import { ITEM_PAGES, type ItemLine, itemLines } from '../uploads/item-lines.js';
import { Links } from '../uploads/links.js';
import { type DumpRow, readSqlDump } from '../uploads/sql-dump.js';
import { rowsOf } from '../uploads/upload-memory.js';
import { firstOctets, unpacked } from '../uploads/unpacked.js';
import { type Upload, unusableFile } from '../uploads/upload.js';
import { contactOf, listOf, suppressionOf, templateOf } from './listmonk-objects.rules.js';
import type { FileSource } from './source.js';

const TABLES = new Set(['bounces', 'lists', 'subscriber_lists', 'subscribers', 'templates']);
const CUSTOM_FORMAT = Buffer.from('PGDMP');
const MAX_LISTS = 100_000;
const MAX_ATTRIBUTES = 20_000;
/** In the order of their numbers in `Links`. */
const BOUNCE_TYPES = ['soft', 'hard', 'complaint'];
const SUBSCRIPTIONS = ['unconfirmed', 'confirmed', 'unsubscribed'];

export const LISTMONK_DUMP: FileSource = {
  receive: (upload) => itemLines(readDump(upload)),
  pages: ITEM_PAGES,
};

async function* readDump(upload: Upload): AsyncGenerator<ItemLine> {
  const { head, all } = await firstOctets(unpacked(upload.pieces), CUSTOM_FORMAT.length);
  if (CUSTOM_FORMAT.equals(head.subarray(0, CUSTOM_FORMAT.length))) {
    throw unusableFile(
      'is a dump in the custom format. Convert it with pg_restore --file=listmonk.sql, or create it with pg_dump --format=plain',
    );
  }
  const objects = new Objects(upload.hold);
  for await (const rows of readSqlDump(all, {
    dialect: 'postgresql',
    isWanted: (table) => TABLES.has(table),
  })) {
    for (const row of rows) yield* objects.take(row);
  }
  if (!objects.hasSubscribers) {
    throw unusableFile('is not a dump of a listmonk database, because it has no subscribers');
  }
}

/** Joins the rows. pg_dump writes tables by name, so that those which refer to a subscriber come before the subscribers. */
class Objects {
  hasSubscribers = false;
  readonly #hold: Upload['hold'];
  readonly #lists = new Map<number, { uuid: string; optin: string }>();
  readonly #subscriptions: Links;
  readonly #bounces: Links;

  constructor(hold: Upload['hold']) {
    this.#hold = hold;
    this.#subscriptions = new Links(2, hold);
    this.#bounces = new Links(2, hold);
  }

  *take(row: DumpRow): Generator<ItemLine> {
    const text = (name: string): string => row.cells.get(name) ?? '';
    const number = (name: string): number => Number(text(name));
    switch (row.table) {
      case 'lists': {
        if (this.#lists.size >= MAX_LISTS) throw unusableFile(`has more than ${MAX_LISTS} lists`);
        this.#hold(rowsOf(row));
        const list = { uuid: text('uuid'), optin: text('optin') };
        this.#lists.set(number('id'), list);
        yield {
          kind: 'lists',
          item: listOf({ ...list, name: text('name'), description: text('description') }),
        };
        return;
      }
      case 'subscriber_lists':
        this.#refuseOrder(row.table);
        if (row.cells.get('list_id') === null) return;
        this.#subscriptions.add(number('subscriber_id'), [
          number('list_id'),
          SUBSCRIPTIONS.indexOf(text('status')),
        ]);
        return;
      case 'bounces':
        this.#refuseOrder(row.table);
        this.#bounces.add(number('subscriber_id'), [number('id'), BOUNCE_TYPES.indexOf(text('type'))]);
        return;
      case 'subscribers':
        this.hasSubscribers = true;
        yield* this.#subscriber(number('id'), text);
        return;
      case 'templates': {
        const subject = text('subject');
        const body = { name: text('name'), type: text('type'), body: text('body') };
        const read = templateOf({ id: number('id'), ...body, subject });
        yield { kind: 'templates', ...('problems' in read ? { leftOut: read } : { item: read }) };
      }
    }
  }

  *#subscriber(id: number, text: (name: string) => string): Generator<ItemLine> {
    const email = text('email');
    for (const [bounceId = 0, type = 0] of this.#bounces.take(id)) {
      const item = suppressionOf({ id: bounceId, type: BOUNCE_TYPES[type] ?? '', email });
      if (item !== null) yield { kind: 'suppressions', item };
    }
    const lists = this.#subscriptions.take(id).flatMap(([listId = 0, status = 0]) => {
      const list = this.#lists.get(listId);
      return list ? [{ ...list, status: SUBSCRIPTIONS[status] }] : [];
    });
    const subscriber = { uuid: text('uuid'), email, name: text('name'), status: text('status') };
    const attribs = attributesOf(text('attribs'));
    yield { kind: 'contacts', item: contactOf({ ...subscriber, attribs, lists }) };
  }

  #refuseOrder(table: string): void {
    if (!this.hasSubscribers) return;
    throw unusableFile(
      `has the table ${table} after the table subscribers. Create the dump with pg_dump, without --data-only`,
    );
  }
}

function attributesOf(json: string): Readonly<Record<string, unknown>> {
  const read = parseMeasured(json, MAX_ATTRIBUTES);
  const value = 'value' in read ? read.value : null;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>) // neither an array nor null
    : {};
}
