// The contents of a draft's attachments as they are stored.
import type { ReplyDraft } from './drafts.tables.js';

/** Returns the contents in base64, in the order of the attachments. */
export function storedContents(files: ReplyDraft['files']): string[] {
  return files === null ? [] : (JSON.parse(files) as string[]); // written by `storedFields`
}

export function contentsOf(files: ReplyDraft['files']): Buffer[] {
  return storedContents(files).map((content) => Buffer.from(content, 'base64'));
}
