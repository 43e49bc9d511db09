// The page behind the link of a confirmation mail. Opening it changes nothing, since mail scanners open links;
// the button does it.
import type { FastifyReply } from 'fastify';
import type { Confirmations } from '../../work/tenants/confirmations.js';
import type { Api } from '../api/api.js';

export interface ConfirmSenderDeps {
  confirmations: Pick<Confirmations, 'find' | 'confirm'>;
}

/** Declares `GET` and `POST /confirm/:token`. */
export function confirmSenderRoutes(app: Api, { confirmations }: ConfirmSenderDeps): void {
  const options = { config: { public: true }, schema: { hide: true } };

  void app.register((scope, _options, done) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer' },
      (_request, _body, read) => read(null, undefined),
    );

    scope.get<{ Params: { token: string } }>('/confirm/:token', options, async (request, reply) => {
      const sender = await confirmations.find(request.params.token);
      if (!sender) return sendPage(reply, 404, GONE);
      const address = escapeHtml(sender.identity);
      return sendPage(reply, 200, {
        title: 'Confirm a sender',
        body:
          `<p>Mail is to be sent in the name of <strong>${address}</strong>.</p>` +
          '<form method="post"><button type="submit">Confirm</button></form>' +
          '<p>If you do not agree, close this page: nothing happens.</p>',
      });
    });

    scope.post<{ Params: { token: string } }>('/confirm/:token', options, async (request, reply) => {
      const sender = await confirmations.confirm(request.params.token);
      if (!sender) return sendPage(reply, 404, GONE);
      const body = `<p><strong>${escapeHtml(sender.identity)}</strong> is confirmed. You can close this page.</p>`;
      return sendPage(reply, 200, { title: 'Sender confirmed', body });
    });
    done();
  });
}

interface Page {
  title: string;
  /** HTML. */
  body: string;
}

const GONE: Page = {
  title: 'This link does not work',
  body: '<p>It was used already, has expired, or was replaced by a newer one.</p>',
};

function sendPage(reply: FastifyReply, status: number, { title, body }: Page): FastifyReply {
  return reply
    .status(status)
    .header('X-Robots-Tag', 'noindex')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
        '<meta name="viewport" content="width=device-width, initial-scale=1"></head>' +
        `<body><h1>${title}</h1>${body}</body></html>`,
    );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
