// Entry point of the delivery worker threads.
import { stoppedCopies } from '../campaigns/run/stopped-copies.store.js';
import { runDeliveryWorker } from '../outbound/deliver/worker.js';
import { leftSequences } from '../sequences/left-lists.store.js';

runDeliveryWorker((engine) => ({
  ofCampaigns: (messageIds) => stoppedCopies(engine, messageIds),
  ofSequences: (messageIds) => leftSequences(engine, messageIds),
}));
