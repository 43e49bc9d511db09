// Loaded into a program before it starts (NODE_OPTIONS=--import=…). Sets its clock CLOCK_AHEAD_MS ahead in all its threads.
import { syncBuiltinESMExports } from 'node:module';
import threads, { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

const NAME = 'clock ahead';
if (isMainThread) {
  setEnvironmentData(NAME, Number(process.env.CLOCK_AHEAD_MS));
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(file, options) {
      super(file, { ...options, execArgv: ['--import', import.meta.url] });
    }
  };
  syncBuiltinESMExports();
}
const aheadMs = getEnvironmentData(NAME);
const now = Date.now;
Date.now = () => now() + aheadMs;
