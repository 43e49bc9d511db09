// Forward migrations, run at start and by `posthorn admin migrate`.
import { Migrator } from 'kysely';
import type { Engine } from '../engine/engine.js';
import { up as first } from './0001-first.js';
import { up as outbound } from './0002-outbound.js';
import { up as wayBack } from './0003-way-back.js';
import { up as audience } from './0004-audience.js';
import { up as tenancy } from './0005-tenancy.js';
import { up as inboundMailboxes } from './0006-inbound-mailboxes.js';
import { up as environments } from './0007-environments.js';
import { up as domains } from './0009-domains.js';
import { up as messages } from './0010-messages.js';
import { up as campaigns } from './0011-campaigns.js';
import { up as requests } from './0012-requests.js';
import { up as formKeys } from './0013-form-keys.js';
import { up as reads } from './0014-reads.js';
import { up as webhookFormats } from './0015-webhook-formats.js';
import { up as countedMail } from './0016-counted-mail.js';
import { up as requestLog } from './0017-request-log.js';
import { up as topics } from './0018-topics.js';
import { up as operations } from './0019-operations.js';
import { up as shareLinks } from './0020-share-links.js';
import { up as deviceSignIns } from './0022-device-sign-ins.js';
import { up as recordEvents } from './0023-record-events.js';
import { up as webhookVendors } from './0024-webhook-vendors.js';
import { up as branding } from './0025-branding.js';
import { up as templateDesigns } from './0026-template-designs.js';
import { up as words } from './0027-words.js';
import { up as traces } from './0028-traces.js';
import { up as egressControl } from './0030-egress-control.js';

const STEPS = {
  '0001-first': first,
  '0002-outbound': outbound,
  '0003-way-back': wayBack,
  '0004-audience': audience,
  '0005-tenancy': tenancy,
  '0006-inbound-mailboxes': inboundMailboxes,
  '0007-environments': environments,
  '0009-domains': domains,
  '0010-messages': messages,
  '0011-campaigns': campaigns,
  '0012-requests': requests,
  '0013-form-keys': formKeys,
  '0014-reads': reads,
  '0015-webhook-formats': webhookFormats,
  '0016-counted-mail': countedMail,
  '0017-request-log': requestLog,
  '0018-topics': topics,
  '0019-operations': operations,
  '0020-share-links': shareLinks,
  '0022-device-sign-ins': deviceSignIns,
  '0023-record-events': recordEvents,
  '0024-webhook-vendors': webhookVendors,
  '0025-branding': branding,
  '0026-template-designs': templateDesigns,
  '0027-words': words,
  '0028-traces': traces,
  '0030-egress-control': egressControl,
};

/** Brings the schema up to date; returns the names of the steps that ran. Throws when the data is newer than the program. */
export async function migrate(engine: Engine): Promise<string[]> {
  const migrator = new Migrator({
    db: engine.schema,
    provider: {
      getMigrations: () =>
        Promise.resolve(
          Object.fromEntries(
            Object.entries(STEPS).map(([name, step]) => [name, { up: (db) => step(db, engine.spelling) }]),
          ),
        ),
    },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw new Error(
      'The database could not be brought to this version. Was it last used by a newer release?',
      {
        cause: error,
      },
    );
  }
  return (results ?? []).map((result) => result.migrationName);
}
