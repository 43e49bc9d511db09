// The sources of account imports: vendors with an API, and uploaded files.
import type { ApiSourceName, FileSourceName, ImportKind } from '../kinds.rules.js';
import type { VendorPage } from '../items.rules.js';
import type { ReceiveUpload } from '../uploads/upload.js';
import type { UploadReader } from './upload-reader.js';
import { BREVO } from './brevo.js';
import { LISTMONK } from './listmonk.js';
import { LISTMONK_DUMP } from './listmonk-dump.js';
import { MAILCHIMP } from './mailchimp.js';
import { MAILKEEL } from './mailkeel.js';
import { MAILGUN } from './mailgun.js';
import { POSTAL } from './postal.js';
import { POSTMARK } from './postmark.js';
import { RESEND } from './resend.js';
import { SENDGRID } from './sendgrid.js';
import { SES } from './ses.js';
import type { SignRequest, VendorReader } from './vendor-reader.js';

/** Address and credentials of an account. Each source uses some of them. */
export interface Connection {
  url?: string | undefined;
  user?: string | undefined;
  token?: string | undefined;
  api_key?: string | undefined;
  account_token?: string | undefined;
  access_key_id?: string | undefined;
  secret_access_key?: string | undefined;
  aws_region?: string | undefined;
  region?: 'global' | 'eu' | undefined;
}

/** Reads the page at a cursor, which is null at first. Throws a VendorProblem. */
type ReadPage<Reader, K extends ImportKind> = (
  reader: Reader,
  cursor: string | null,
) => Promise<VendorPage<K>>;

type Pages<Reader> = { readonly [K in ImportKind]?: ReadPage<Reader, K> };

/** Reads a page of any kind from the source of an import. */
export type PageReader = <K extends ImportKind>(kind: K, cursor: string | null) => Promise<VendorPage<K>>;

export function readerOf<Reader>(pages: Pages<Reader>, open: () => Reader): PageReader {
  return async (kind, cursor) => {
    const read = pages[kind];
    return read ? read(open(), cursor) : { items: [], leftOut: [], next: null };
  };
}

export interface ApiSource {
  /** Returns the fields of the connection that are missing or wrong. */
  problems(connection: Connection): { path: string; message: string }[];
  /** Returns the address of the API, without a slash at the end. */
  base(connection: Connection): string;
  headers(connection: Connection): Record<string, string>;
  /** Returns a function that signs requests, for vendors that want a signature. */
  sign?(connection: Connection): SignRequest;
  /** Whether the vendor permits only a few requests per second. */
  isPaced: boolean;
  pages: Pages<VendorReader>;
}

export interface FileSource {
  /**
   * Reads an upload as it arrives, and yields the lines that the import reads later. Refuses with `validation_error` for an unknown
   * or incomplete file.
   */
  receive: ReceiveUpload;
  pages: Pages<UploadReader>;
}

export const API_SOURCE: Readonly<Record<ApiSourceName, ApiSource>> = {
  brevo: BREVO,
  listmonk: LISTMONK,
  mailgun: MAILGUN,
  postmark: POSTMARK,
  resend: RESEND,
  sendgrid: SENDGRID,
  ses: SES,
};

export const FILE_SOURCE: Readonly<Record<FileSourceName, FileSource>> = {
  listmonk: LISTMONK_DUMP,
  mailchimp: MAILCHIMP,
  mailkeel: MAILKEEL,
  postal: POSTAL,
};
