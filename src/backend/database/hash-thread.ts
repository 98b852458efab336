import { parentPort, workerData } from 'node:worker_threads'
import { computeHash } from './password-hashes'

// An error ends the thread, and the promise of start-hash-thread.ts rejects with it.
parentPort?.postMessage(computeHash(workerData))
