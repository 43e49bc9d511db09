// A vendor whose accounts can be imported.
import type { ImportKind, ImportSource } from '../kinds.rules.js';
import type { VendorPage } from '../items.rules.js';
import { LISTMONK } from './listmonk.js';
import { RESEND } from './resend.js';
import { SENDGRID } from './sendgrid.js';
import type { VendorReader } from './vendor-reader.js';

/** Address and credentials of an account. Each source uses some of them. */
export interface Connection {
  url?: string | undefined;
  user?: string | undefined;
  token?: string | undefined;
  api_key?: string | undefined;
  region?: 'global' | 'eu' | undefined;
}

/** Reads the page at a cursor, which is null at first. Throws a VendorProblem. */
type ReadPage<K extends ImportKind> = (reader: VendorReader, cursor: string | null) => Promise<VendorPage<K>>;

export interface Source {
  /** Returns the fields of the connection that are missing or wrong. */
  problems(connection: Connection): { path: string; message: string }[];
  /** Returns the address of the API, without a slash at the end. */
  base(connection: Connection): string;
  headers(connection: Connection): Record<string, string>;
  /** Whether the vendor permits only a few requests per second. */
  isPaced: boolean;
  pages: { readonly [K in ImportKind]?: ReadPage<K> };
}

export const SOURCES: Readonly<Record<ImportSource, Source>> = {
  listmonk: LISTMONK,
  resend: RESEND,
  sendgrid: SENDGRID,
};
