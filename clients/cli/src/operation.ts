// Description of an API operation, as used by the command line.

export interface Field {
  /** The name in the API. */
  name: string;
  /** `list` contains texts. `any` is a text or, if it begins with a bracket, JSON. */
  kind: 'text' | 'number' | 'boolean' | 'list' | 'json' | 'any' | 'null';
  about: string;
  values?: readonly string[];
  required?: boolean;
}

export interface Operation {
  /** `messages.create`: resource and method of the SDK. */
  id: string;
  method: string;
  path: string;
  summary: string;
  pathNames: readonly string[];
  query: readonly Field[];
  /** `null` if the operation has none. */
  body: readonly Field[] | null;
  /** The body is a file of rows, and the options are in the query. */
  isRows: boolean;
  /** The object has versions, and a change can name the version that it is based on. */
  isVersioned?: true;
  answer: 'json' | 'list' | 'file' | 'stream';
}
