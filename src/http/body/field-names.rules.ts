// Suggests the field that the caller meant by an unknown name: a different spelling, or another service's word.

/** Keys have no capitals, dashes or underscores. The first name that the object has is suggested. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  scheduledat: ['send_at'],
  scheduleat: ['send_at'],
  deliverat: ['send_at'],
  deliverytime: ['send_at'],
  senddate: ['send_at'],
  fromemail: ['from'],
  fromname: ['from'],
  sender: ['from'],
  toemail: ['to'],
  recipient: ['to', 'email'],
  recipients: ['to'],
  address: ['email', 'to'],
  emailaddress: ['email', 'to'],
  subjectline: ['subject'],
  body: ['html', 'text'],
  content: ['html', 'text'],
  message: ['text'],
  htmlbody: ['html'],
  htmlcontent: ['html'],
  htmlpart: ['html'],
  textbody: ['text'],
  textcontent: ['text'],
  textpart: ['text'],
  plaintext: ['text'],
  templatealias: ['template'],
  templatename: ['template'],
  templateslug: ['template'],
  templatemodel: ['variables'],
  templatedata: ['variables'],
  templatevariables: ['variables'],
  dynamictemplatedata: ['variables'],
  personalization: ['variables'],
  substitutions: ['variables'],
  mergevars: ['variables'],
  data: ['variables', 'metadata', 'content'],
  params: ['variables'],
  attributes: ['metadata'],
  customargs: ['metadata'],
  customfields: ['metadata'],
  fields: ['metadata'],
  properties: ['metadata'],
  categories: ['tags'],
  tag: ['tags'],
  labels: ['tags'],
  files: ['attachments'],
  openstracking: ['track_opens'],
  opentracking: ['track_opens'],
  clicktracking: ['track_clicks'],
  tracklinks: ['track_clicks'],
  fullname: ['name'],
  firstname: ['name'],
  displayname: ['name'],
  mimetype: ['content_type'],
  mediatype: ['content_type'],
  type: ['content_type'],
  disposition: ['content_id'],
  audienceid: ['list_id'],
  listids: ['list_id'],
  endpoint: ['url'],
  domain: ['sending_domain'],
  tenant: ['sub_tenant_id'],
  subaccount: ['sub_tenant_id'],
  page: ['cursor'],
  offset: ['cursor'],
  after: ['cursor'],
  startingafter: ['cursor'],
  perpage: ['limit'],
  pagesize: ['limit'],
};

/** Longer names are compared by spelling only. */
const MAX_NAME = 40;

/** Returns the nearest of the `known` names, or null if none is near. */
export function nearestField(name: string, known: readonly string[]): string | null {
  const wanted = plain(name);
  if (wanted === '' || wanted.length > MAX_NAME) return null;
  const same = known.find((field) => plain(field) === wanted);
  if (same !== undefined) return same;
  const alias = Object.hasOwn(ALIASES, wanted)
    ? ALIASES[wanted]?.find((field) => known.includes(field))
    : undefined;
  if (alias !== undefined) return alias;
  const mostEdits = wanted.length <= 4 ? 1 : wanted.length <= 8 ? 2 : 3;
  let best: { field: string; edits: number } | null = null;
  for (const field of known) {
    const edits = editDistance(wanted, plain(field), mostEdits);
    if (edits < Math.min(best?.edits ?? mostEdits + 1, plain(field).length)) best = { field, edits };
  }
  return best?.field ?? null;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

/** Counts insertions, deletions, replacements and swaps of neighbours. Returns `most + 1` for any greater number. */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (beforeLast[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped));
    }
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length] ?? 0, most + 1);
}
