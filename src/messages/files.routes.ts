// The files of a message, one by one.
import { Type } from 'typebox';
import { Refusal } from '../contract/refusal.js';
import type { Store } from '../store/store.js';
import type { Api } from '../api/api.js';
import { downloadHeader } from './download-header.routes.js';
import { findMessage } from './messages.routes.js';

export interface MessageFileDeps {
  store: Pick<Store, 'messages'>;
}

export function messageFileRoutes(app: Api, { store }: MessageFileDeps): void {
  app.get(
    '/v1/messages/:id/attachments/:index',
    {
      config: { permission: 'send' },
      schema: {
        operationId: 'messages.getAttachment',
        tags: ['Messages'],
        summary: 'Download a file of a message',
        description: 'By its place in `attachments`, from 0. Inline images of received mail are among them.',
        params: Type.Object({
          id: Type.String(),
          index: Type.Integer({ minimum: 0, maximum: 10_000 }),
        }),
        response: {
          200: {
            description: 'The file.',
            content: { 'application/octet-stream': { schema: Type.Unsafe<Buffer>({ type: 'string' }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const message = await findMessage(store, request.caller.scope, request.params.id);
      const file = await store.messages.fileOf(message, request.params.index);
      if (!file) throw new Refusal('not_found');
      // A stranger's file never runs as a page of ours, whatever it says it is.
      return reply
        .type('application/octet-stream')
        .header('Content-Disposition', downloadHeader(file.filename))
        .send(Buffer.from(file.content));
    },
  );
}
