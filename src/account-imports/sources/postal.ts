// Postal, read from a dump of its MariaDB databases: the one with the configuration, and the one of a mail server with its
// suppressions.
import type { WebhookEvent } from '../../contract/names.js';
import { leftOut } from '../items.rules.js';
import { ITEM_PAGES, type ItemLine, itemLines } from '../uploads/item-lines.js';
import { type DumpRow, readSqlDump } from '../uploads/sql-dump.js';
import { unpacked } from '../uploads/unpacked.js';
import { rowsOf } from '../uploads/upload-memory.js';
import { type Upload, unusableFile } from '../uploads/upload.js';
import type { FileSource } from './source.js';

/** Tables of the configuration, with the columns that are kept. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  organizations: ['id', 'permalink', 'deleted_at'],
  servers: ['id', 'organization_id', 'name', 'permalink', 'deleted_at'],
  domains: ['id', 'name', 'owner_type', 'owner_id', 'server_id', 'outgoing'],
  webhook_events: ['webhook_id', 'event'],
  webhooks: ['id', 'server_id', 'url', 'all_events', 'enabled'],
};
/** The database of a mail server ends with its ID. */
const SERVER_DATABASE = /-server-(\d+)$/;
const MAX_SHOWN_SERVERS = 20;

const EVENTS: Readonly<Record<string, WebhookEvent>> = {
  MessageSent: 'message.delivered',
  MessageDelayed: 'message.deferred',
  MessageDeliveryFailed: 'message.failed',
  MessageBounced: 'message.bounced',
  MessageLinkClicked: 'message.clicked',
  MessageLoaded: 'message.opened',
};

export const POSTAL: FileSource = {
  receive: (upload) => itemLines(readDump(upload)),
  pages: ITEM_PAGES,
};

async function* readDump({ pieces, name, hold }: Upload): AsyncGenerator<ItemLine> {
  const configuration = new Configuration(hold);
  let server: Server | null = null;
  let hasSuppressions = false;
  const dump = readSqlDump(unpacked(pieces), {
    dialect: 'mysql',
    isWanted: (table, database) =>
      Object.hasOwn(COLUMNS, table) || (table === 'suppressions' && SERVER_DATABASE.test(database)),
  });
  for await (const rows of dump) {
    for (const row of rows) {
      if (row.table !== 'suppressions') {
        configuration.add(row);
        continue;
      }
      server ??= configuration.server(name);
      if (SERVER_DATABASE.exec(row.database)?.[1] !== server.id) continue;
      hasSuppressions = true;
      yield* suppressionOf(row);
    }
  }
  server ??= configuration.server(name);
  yield* configuration.domainsOf(server);
  yield* configuration.webhooksOf(server);
  if (!hasSuppressions) {
    const item = { externalId: server.id, name: server.fullName };
    const problem =
      'The dump contains no suppressions of the server. If the server has suppressions, add its database to the dump.';
    yield { kind: 'suppressions', leftOut: leftOut(item, problem) };
  }
}

/** Postal suppresses recipients after several hard failures. */
function* suppressionOf({ cells }: DumpRow): Generator<ItemLine> {
  const name = cells.get('address') ?? '';
  if (cells.get('type') !== 'recipient') return;
  yield { kind: 'suppressions', item: { externalId: cells.get('id') ?? name, name, reason: 'bounce' } };
}

type Cells = Readonly<Record<string, string | null>>;

interface Server {
  id: string;
  organizationId: string;
  /** Short names of the organization and the server, as in the addresses of Postal's pages. */
  fullName: string;
  /** Texts by which the request may name the server. */
  names: readonly string[];
}

/** The rows of the configuration, which are few. */
class Configuration {
  readonly #hold: Upload['hold'];
  readonly #rows = new Map<string, Cells[]>();

  constructor(hold: Upload['hold']) {
    this.#hold = hold;
  }

  add(row: DumpRow): void {
    const { table, cells } = row;
    this.#hold(rowsOf(row));
    const kept = (COLUMNS[table] ?? []).map((name) => [name, cells.get(name) ?? null] as const);
    this.#of(table).push(Object.fromEntries(kept));
  }

  #of(table: string): Cells[] {
    const rows = this.#rows.get(table) ?? [];
    this.#rows.set(table, rows);
    return rows;
  }

  /** Returns the server that the request names, or the only one. Throws a Refusal without one. */
  server(name: string | null): Server {
    const servers = this.#servers();
    if (servers.length === 0) {
      throw unusableFile(
        'does not begin with the Postal configuration. Create the dump with mariadb-dump --databases postal postal-server-1',
      );
    }
    const found = name === null ? servers : servers.filter(({ names }) => names.includes(name));
    const [server] = found;
    if (server !== undefined && found.length === 1) return server;
    const shown = servers.slice(0, MAX_SHOWN_SERVERS).map(({ fullName }) => fullName);
    throw unusableFile(`has several servers. Set name to one of ${shown.join(', ')}`);
  }

  /** Servers and organizations that were not deleted. */
  #servers(): Server[] {
    const organizations = new Map(
      this.#of('organizations')
        .filter((one) => one['deleted_at'] === null)
        .map((one) => [one['id'], one['permalink']]),
    );
    return this.#of('servers').flatMap((one): Server[] => {
      const organization = organizations.get(one['organization_id'] ?? '');
      if (one['deleted_at'] !== null || organization === undefined) return [];
      const fullName = `${organization}/${one['permalink']}`;
      const names = [fullName, one['permalink'] ?? '', one['name'] ?? ''];
      return [{ id: one['id'] ?? '', organizationId: one['organization_id'] ?? '', fullName, names }];
    });
  }

  /** Domains of the server, and those of its organization. */
  *domainsOf({ id, organizationId }: Server): Generator<ItemLine> {
    for (const one of this.#of('domains')) {
      const owner = `${one['owner_type'] ?? 'Server'} ${one['owner_id'] ?? one['server_id']}`;
      if (owner !== `Server ${id}` && owner !== `Organization ${organizationId}`) continue;
      const item = { externalId: one['id'] ?? '', name: one['name'] ?? '' };
      if (one['outgoing'] === '1') yield { kind: 'domains', item };
      else yield { kind: 'domains', leftOut: leftOut(item, 'The domain only receives mail.') };
    }
  }

  /** Postal's own format is not available, so receivers have to be changed. */
  *webhooksOf({ id }: Server): Generator<ItemLine> {
    const events = new Map<string | null, Cells[]>();
    for (const one of this.#of('webhook_events')) {
      const webhookId = one['webhook_id'] ?? null;
      const some = events.get(webhookId) ?? [];
      some.push(one);
      events.set(webhookId, some);
    }
    for (const one of this.#of('webhooks')) {
      if (one['server_id'] !== id) continue;
      const item = { externalId: one['id'] ?? '', name: one['url'] ?? '' };
      const chosen = events.get(one['id'] ?? null) ?? [];
      const known = chosen.flatMap((event) => EVENTS[event['event'] ?? ''] ?? []);
      const isAll = one['all_events'] === '1';
      if (one['enabled'] !== '1') {
        yield { kind: 'webhooks', leftOut: leftOut(item, 'The webhook is disabled.') };
      } else if (!isAll && known.length === 0) {
        const problem = 'Mailkeel has no equivalent of the events of the webhook.';
        yield { kind: 'webhooks', leftOut: leftOut(item, problem) };
      } else {
        const wanted = { ...item, events: isAll ? null : known, isDisabled: true };
        yield { kind: 'webhooks', item: { ...wanted, format: 'service' } };
      }
    }
  }
}
