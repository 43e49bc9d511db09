// Parameters of mail, converted to the wire: files are read and encoded, React elements rendered.
import { toBase64 } from './base64.js';
import type { Config, RenderReact } from './config.js';
import { InputError, type Problem } from './errors.js';
import type { AttachmentInput, MessageBatchCreate, MessageCreate, RawMessageCreate } from './schemas.js';
import type {
  AttachmentParams,
  FileContent,
  MessageBatchCreateParams,
  MessageCreateParams,
  RawMessageCreateParams,
} from './types.js';

type Mail = Pick<MessageCreateParams, 'attachments' | 'react'> & { html?: string | null };
type Sent<T> = Omit<T, 'attachments' | 'react'> & { attachments?: AttachmentInput[] };

const CONTENT = ['html', 'text', 'template', 'template_id', 'react'] as const;

/** Validates a message and reads its files. Throws InputError if the message is invalid or a file cannot be read. */
export async function messageToSend(params: MessageCreateParams, config: Config): Promise<MessageCreate> {
  refuse(problemsOfMessage(params));
  return mailToSend(params, config);
}

/** Does the same for a batch. Messages that the server would refuse are not checked; each gets its own error result. */
export async function batchToSend(
  params: MessageBatchCreateParams,
  config: Config,
): Promise<MessageBatchCreate> {
  // Callers without types may give anything.
  const given = params as { messages?: unknown } | undefined;
  if (!Array.isArray(given?.messages) || given.messages.length === 0) {
    refuse([{ path: 'messages', message: 'messages must contain at least one message.' }]);
  }
  params.messages.forEach((one: unknown, place) => {
    if (isObject(one)) return;
    refuse([{ path: `messages.${place}`, message: `messages.${place} must be an object.` }]);
  });
  const messages = await Promise.all(params.messages.map((message) => mailToSend(message, config)));
  return { ...params, messages };
}

/** Encodes a MIME message. Throws InputError if its content has an unknown form. */
export async function rawToSend({ raw, ...rest }: RawMessageCreateParams): Promise<RawMessageCreate> {
  return { ...rest, raw: typeof raw === 'string' ? raw : await encoded(raw, 'raw') };
}

export async function mailToSend<T extends Mail>(params: T, config: Config): Promise<Sent<T>> {
  const { attachments, react, ...rest } = params;
  if (attachments !== undefined && !Array.isArray(attachments)) {
    refuse([{ path: 'attachments', message: 'attachments must be an array.' }]);
  }
  if (react !== undefined && params.html !== undefined) {
    refuse([{ path: 'react', message: 'Pass either html or react, not both.' }]);
  }
  return {
    ...rest,
    ...(attachments === undefined
      ? {}
      : { attachments: await Promise.all(attachments.map(attachmentToSend)) }),
    ...(react === undefined ? {} : { html: await renderedBy(config.renderReact, react) }),
  };
}

function problemsOfMessage(params: MessageCreateParams): Problem[] {
  const problems: Problem[] = [];
  // Callers without types may give anything.
  const given: unknown = params;
  if (typeof given !== 'object' || given === null) {
    return [{ path: '', message: 'A message must be an object with to, from, subject and content.' }];
  }
  const to: unknown = params.to;
  const all: unknown[] = Array.isArray(to) ? to : [to];
  if (to === undefined || to === null || all.length === 0) {
    problems.push({ path: 'to', message: 'to is missing. Pass the address of the recipient.' });
  } else if (!all.every(isAddress)) {
    problems.push({ path: 'to', message: 'to must be an address, { email, name } or an array of them.' });
  }
  if (CONTENT.every((field) => params[field] === undefined)) {
    problems.push({
      path: 'html',
      message: 'The message has no content. Pass html, text, react or a template.',
    });
  }
  return problems;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isAddress(value: unknown): boolean {
  const email: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'email') : value;
  return typeof email === 'string' && email.includes('@');
}

async function attachmentToSend(attachment: AttachmentParams, place: number): Promise<AttachmentInput> {
  const path = `attachments.${place}`;
  if (!isObject(attachment)) refuse([{ path, message: 'An attachment must be an object.' }]);
  if (attachment.path !== undefined) {
    const { path: file, ...rest } = attachment;
    const filename = rest.filename ?? file.split(/[\\/]/).at(-1) ?? file;
    return { ...rest, filename, content: toBase64(await readFile(file, path)) };
  }
  const { content, filename, ...rest } = attachment;
  if (typeof filename !== 'string' || filename === '') {
    refuse([{ path: `${path}.filename`, message: 'filename is required for this attachment.' }]);
  }
  return {
    ...rest,
    filename,
    content: typeof content === 'string' ? content : await encoded(content, `${path}.content`),
  };
}

async function encoded(content: Exclude<FileContent, string>, path: string): Promise<string> {
  if (ArrayBuffer.isView(content)) return toBase64(content);
  const isBody =
    content instanceof ArrayBuffer || content instanceof Blob || content instanceof ReadableStream;
  if (isBody) return toBase64(new Uint8Array(await new Response(content).arrayBuffer()));
  // Callers without types may give anything; Node's own streams are iterables.
  const isIterable: boolean = Symbol.asyncIterator in Object(content);
  if (!isIterable) {
    const name = path.split('.').at(-1) ?? path;
    refuse([{ path, message: `${name} must be base64 text, bytes, a Blob or a stream.` }]);
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of content) parts.push(Uint8Array.from(part));
  return toBase64(new Uint8Array(await new Blob(parts).arrayBuffer()));
}

interface FileSystem {
  readFile: (path: string) => Promise<Uint8Array>;
}

/** Asks the runtime for its file system instead of importing it, so that bundles for the edge hold no Node module. */
async function readFile(file: string, path: string): Promise<Uint8Array> {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const files = process?.getBuiltinModule?.('node:fs/promises') as FileSystem | undefined;
  if (files === undefined) {
    const message =
      "Attachments can't be read from a path in this runtime. Pass their content, or use Node 20.16 or newer.";
    throw new InputError([{ path: `${path}.path`, message }]);
  }
  try {
    return await files.readFile(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError([{ path: `${path}.path`, message: `Can't read the file: ${reason}.` }]);
  }
}

async function renderedBy(own: RenderReact | null, element: object): Promise<string> {
  return (own ?? (await loadRenderer()))(element);
}

async function loadRenderer(): Promise<RenderReact> {
  try {
    const { render } = (await import('@react-email/render')) as unknown as { render: RenderReact };
    return render;
  } catch (cause) {
    const message =
      'react requires the package @react-email/render. Install it, or pass renderReact to the client.';
    throw Object.assign(new InputError([{ path: 'react', message }]), { cause });
  }
}

function refuse(problems: readonly Problem[]): asserts problems is [] {
  if (problems.length > 0) throw new InputError(problems);
}
