// The files of a message or a draft, one by one.
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../contract/refusal.js';
import type { Api } from '../http/api.js';
import type { MessageContext } from './context.js';
import { fileOfDraft } from './drafts/draft-fields.js';
import { findDraft } from './drafts/drafts.js';
import { findMessage } from './messages.routes.js';

// Returns the Content-Disposition of a download (RFC 6266) for any file name. Browsers support neither the continuations nor the
// encoded words of mail.
const MAX_NAME = 200;
/** Marks that turn the direction of text: they show `exe.pdf` for what ends in `.exe`. */
const DIRECTION = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns `attachment` with the name in ASCII and, if it differs, also in UTF-8 (RFC 8187). */
export function downloadHeader(filename: string): string {
  const name = safeName(filename);
  const ascii = name.replace(/[^\x20-\x7e]|["%\\]/gu, '_');
  const value = `attachment; filename="${ascii}"`;
  return ascii === name ? value : `${value}; filename*=UTF-8''${encoded(name)}`;
}

/** One name, never a path; its ending stays when it is cut. */
function safeName(filename: string): string {
  const name = filename
    .toWellFormed()
    .replace(DIRECTION, '')
    .replace(/[\p{Cc}\u2028\u2029/\\:]/gu, '_')
    .trim();
  if (/^\.*$/.test(name)) return 'attachment';
  if (name.length <= MAX_NAME) return name;
  const [ending = ''] = /\.[A-Za-z0-9]{1,16}$/.exec(name) ?? [];
  const cut = name.slice(0, MAX_NAME - ending.length);
  // Half a character at the cut falls away with it.
  return `${cut.replace(/[\ud800-\udbff]$/, '')}${ending}`;
}

function encoded(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

interface StoredFile {
  filename: string;
  content: Uint8Array;
}

const config = { permission: 'send' } as const;
const params = Type.Object({
  id: Type.String(),
  index: Type.Integer({ minimum: 0, maximum: 10_000 }),
});
const response = {
  200: {
    description: 'The file.',
    content: { 'application/octet-stream': { schema: Type.Unsafe<Buffer>({ type: 'string' }) } },
  },
};

/** Declares the downloads of the files of messages and of drafts. */
export function fileRoutes(app: Api, { store }: MessageContext): void {
  app.get(
    '/v1/messages/:id/attachments/:index',
    {
      config,
      schema: {
        operationId: 'messages.getAttachment',
        tags: ['Messages'],
        summary: "Download a message's attachment",
        description:
          'Returns one file of a message by its position in `attachments`, starting at 0. Inline images of received mail are included.',
        params,
        response,
      },
    },
    async ({ caller, params: { id, index } }, reply) => {
      const message = await findMessage(store, caller.scope, id);
      return download(reply, await store.messages.fileOf(message, index));
    },
  );

  app.get(
    '/v1/drafts/:id/attachments/:index',
    {
      config,
      schema: {
        operationId: 'drafts.getAttachment',
        tags: ['Drafts'],
        summary: "Download a draft's attachment",
        description:
          'Returns one file of an open draft by its position in `attachments`, starting at 0. A sent draft has no files, because its message contains them.',
        params,
        response,
      },
    },
    async ({ caller, params: { id, index } }, reply) =>
      download(reply, fileOfDraft(await findDraft(store, caller.scope, id), index)),
  );
}

/** An external file must never run as a page of the server, regardless of its type. */
function download(reply: FastifyReply, file: StoredFile | null): FastifyReply {
  if (file === null) throw new Refusal('not_found');
  return reply
    .type('application/octet-stream')
    .header('Content-Disposition', downloadHeader(file.filename))
    .send(Buffer.from(file.content));
}
