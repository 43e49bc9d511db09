// The export of a person, by the ID of the contact or by an address.
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { contactParams } from '../contacts/contact.schema.js';
import { Refusal } from '../contract/refusal.js';
import { iso } from '../contract/time.js';
import type { Scope } from '../database/scope.js';
import type { Api } from '../http/api.js';
import { readAddress } from '../http/body/fields.js';
import { readPieces } from '../http/lists/reading.js';
import { recordRead } from '../accounts/audit/record-read.js';
import type { ErasureContext } from './context.js';
import { exportPerson, type Person } from './person-export.view.js';
import { contactData } from './contact-data.schema.js';

/** The handler writes the document in pieces. */
const DOCUMENT = Type.Unsafe<Readable>(contactData);

export function contactExportRoutes(app: Api, context: ErasureContext): void {
  const { store, clock } = context;
  app.get(
    '/v1/contacts/:id/export',
    {
      exposeHeadRoute: false,
      config: { reading: 'file', audit: { reads: true } },
      schema: {
        operationId: 'contacts.exportData',
        tags: ['Contacts'],
        summary: "Download a person's data",
        description:
          "Returns everything that this environment stores about a person as one JSON document: contacts with the address, consents, lists, suppressions, conversations, messages to and from them with content, audit trail and attempts, enrollments, and campaigns. Pass the URL-encoded address if the contact was deleted. Requests limited to a sub-tenant return that sub-tenant's data. Attachments are listed with their hash; download them from the message. The audit log records the download.",
        params: contactParams,
        response: {
          200: { description: 'The document.', content: { 'application/json': { schema: DOCUMENT } } },
        },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const person = await findPerson(context, scope, request.params.id);
      await recordRead(store);
      const now = clock();
      return reply
        .type('application/json; charset=utf-8')
        .header('Content-Disposition', `attachment; filename="contact-${iso(now).slice(0, 10)}.json"`)
        .send(Readable.from(readPieces(request, exportPerson(store, person, now))));
    },
  );
}

async function findPerson({ store }: ErasureContext, scope: Scope, id: string): Promise<Person> {
  if (id.includes('@')) {
    const { email, key } = readAddress('id', id);
    return { scope, email, emailKey: key };
  }
  const contact = await store.contacts.contact(scope, id);
  if (!contact) throw new Refusal('not_found');
  return { scope, email: contact.email, emailKey: contact.email_key };
}
