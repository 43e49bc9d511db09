// Holds checks after their first DNS lookup, before the result is committed, until a test releases them.
import { TenantChecks } from '../../src/domains/checks.js';
import type { RecordCheck } from '../../src/domains/check-records.js';
import { CHECK_TERMS, type TenantRig } from './tenant-rig.js';

export function checksThatWait(rig: TenantRig): {
  checks: TenantChecks;
  hasLooked: Promise<void>;
  release: () => void;
} {
  const looked = gate();
  const released = gate();
  const lookUpRecords: RecordCheck['lookUpRecords'] = async (domain, records) => {
    const found = await rig.recordCheck.lookUpRecords(domain, records);
    looked.open();
    await released.isOpen;
    return found;
  };
  const checks = new TenantChecks({
    store: rig.store,
    recordCheck: { lookUpRecords },
    settings: rig.settings,
    ...CHECK_TERMS,
    clock: rig.clock.now,
    tenants: { stop: () => undefined },
    wakeUps: { queue: () => undefined, events: () => undefined },
    forgetKeys: () => undefined,
  });
  return { checks, hasLooked: looked.isOpen, release: released.open };
}

function gate(): { isOpen: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  return { isOpen, open: () => open() };
}
