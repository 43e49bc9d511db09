// Downloads a message as MIME.
import { Type } from 'typebox';
import type { Api } from '../../http/api.js';
import { idParams } from '../../contract/schema.js';
import { findMessage } from '../../messages/messages.routes.js';
import type { OutboundContext } from '../context.js';
import type { RawMessages } from './raw-message.js';

export function rawRoute(app: Api, { store }: Pick<OutboundContext, 'store'>, rawMessage: RawMessages): void {
  app.get(
    '/v1/messages/:id/raw',
    {
      config: { permission: 'send' },
      schema: {
        operationId: 'messages.getRaw',
        tags: ['Messages'],
        summary: 'Download a message as MIME',
        description:
          'Returns the message in `message/rfc822` format. A sent message is composed again as it was sent, with its DKIM signatures, and differs only if keys or an inbound domain have changed since. A message that has not been sent is unsigned. Received mail is returned as received.',
        params: idParams,
        response: {
          200: {
            description: 'The message.',
            content: { 'message/rfc822': { schema: Type.Unsafe<Buffer>({ type: 'string' }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const found = await findMessage(store, request.caller.scope, request.params.id);
      const bytes = await rawMessage(found);
      return reply
        .type('message/rfc822')
        .header('Content-Disposition', `attachment; filename="${found.public_id}.eml"`)
        .send(bytes);
    },
  );
}
