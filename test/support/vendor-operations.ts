// Lists the operations of the vendors' own API descriptions, and whether they are served.
import { readFileSync } from 'node:fs';
import { VENDORS } from '../../src/compat/compat.js';
import type { Vendor } from '../../src/compat/route.js';

export interface VendorOperation {
  /** As in the vendor's description: `GET /emails/{email_id}`. */
  name: string;
  method: string;
  path: string;
  isServed: boolean;
  /** Path of the refused area; '' if no area names it. */
  area: string;
}

/** The operations of a vendor, and the source of their description. */
export function operationsOf(vendor: Vendor): { source: string; operations: VendorOperation[] } {
  const file = `test/compat/vendor-operations/${vendor.name}.json`;
  const { source, operations } = JSON.parse(readFileSync(file, 'utf8')) as {
    source: string;
    operations: string[];
  };
  const served = new Set(vendor.routes.map(({ method, path }) => nameless(`${method} ${path}`)));
  const areas = Object.keys(vendor.notServed).toSorted((a, b) => b.length - a.length);
  return {
    source,
    operations: operations.map((name) => {
      const [method = '', path = ''] = name.split(' ');
      const own = nameless(path);
      const area = areas.find((one) => own === nameless(one) || own.startsWith(`${nameless(one)}/`)) ?? '';
      return { name, method, path, isServed: served.has(nameless(name)), area };
    }),
  };
}

/** Vendors spell paths and parameters in several ways. */
function nameless(path: string): string {
  return path
    .replaceAll(/\{[^}]+\}|(?<=\/):\w+/g, ':')
    .replace(/\/$/, '')
    .toLowerCase();
}

/** The guide that lists all operations. */
export function operationsGuide(): string {
  const parts = VENDORS.map((vendor) => {
    const { source, operations } = operationsOf(vendor);
    const served = operations.filter(({ isServed }) => isServed);
    const refused = operations.filter(({ isServed }) => !isServed);
    const title = vendor.name.charAt(0).toUpperCase() + vendor.name.slice(1);
    return [
      `## ${TITLES[vendor.name] ?? title}`,
      `${served.length} of ${operations.length} operations (${source}) are served, and ${refused.length} are refused.`,
      table(['Served path', 'Methods'], byPath(served)),
      table(['Refused path', 'Operations', 'Instead'], byArea(refused, vendor)),
    ].join('\n\n');
  });
  return ['# Operations of the compatible APIs', INTRODUCTION, ...parts].join('\n\n') + '\n';
}

const INTRODUCTION = `Every operation in the API descriptions of the providers is either served or refused with 404, an error in the
provider's format and a sentence that names the alternative. See [compatible APIs](compat.md) for what served operations
accept. A test compares this list with the descriptions.`;

const TITLES: Readonly<Record<string, string>> = { sendgrid: 'SendGrid', ses: 'Amazon SES' };

function byPath(operations: readonly VendorOperation[]): string[][] {
  const methods = new Map<string, string[]>();
  for (const { path, method } of operations) methods.set(path, [...(methods.get(path) ?? []), method]);
  return [...methods].map(([path, all]) => [`\`${path}\``, all.join(', ')]);
}

function byArea(operations: readonly VendorOperation[], { notServed }: Vendor): string[][] {
  const areas = new Map<string, string[]>();
  for (const { area, method } of operations) {
    const shown = area.replaceAll(/:(\w+)/g, '{$1}');
    areas.set(shown, [...(areas.get(shown) ?? []), method]);
  }
  const insteadOf = (shown: string): string => notServed[shown.replaceAll(/\{(\w+)\}/g, ':$1')] ?? '';
  return [...areas]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([shown, all]) => [`\`${shown}\``, String(all.length), insteadOf(shown)]);
}

/** A table with columns as wide as the formatter makes them. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
