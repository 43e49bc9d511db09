// Texts of the request log.
import { catalogue } from './texts.js';

const en = {
  title: 'Request log',
  about: 'What was asked of the API in this environment, and what it answered.',
  sample:
    'A sample: of each minute 300 failures, 60 changes and 30 reads are kept, for 30 days unless the operator has chosen another time. Texts are shown by their length, addresses by their domain.',
  request: 'Request',
  method: 'Method',
  path: 'Path begins with',
  status: 'Status',
  code: 'Error code',
  by: 'Requests by',
  byOf: { keys: 'API keys', people: 'People', all: 'All' },
  actor: 'Key or person',
  duration: 'Took',
  at: 'Time',
  classes: {
    '2xx': 'Worked (2xx)',
    '4xx': 'Refused (4xx)',
    '5xx': 'Faults (5xx)',
  },
  exact: 'Exact status',
  people: 'People',
  keys: 'API keys',
  operation: 'Operation',
  param: 'Field',
  requestId: 'Request id',
  subTenant: 'Sub-tenant',
  query: 'Query',
  body: 'Body',
  reference: 'What the code means',
  emptyTitle: 'No requests yet',
  empty:
    'Requests with a key of this environment appear here. Choose People to see requests made by clicks in the dashboard.',
};

export const requests = catalogue(en, () => import('./de/requests.js').then(({ de }) => de));
export type RequestsTexts = typeof en;
