// Engagement of an installation whose recipients never respond.
import type { Engagement } from '../../src/outbound/route/side-chooser.js';

export const noEngagement: Engagement = {
  isEngaged: () => Promise.resolve(false),
  shareOfMail: () => Promise.resolve(0),
};
