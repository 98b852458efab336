import { parentPort } from 'node:worker_threads'
import { computeHash, type HashTask } from './password-hashes'
import { serializeError } from './thread-calls'

const port = parentPort
if (port === null) throw new Error('This module runs as a worker thread only')

port.on('message', (task: HashTask) => {
  try {
    port.postMessage({ result: computeHash(task) })
  } catch (error) {
    port.postMessage({ error: serializeError(error) })
  }
})
