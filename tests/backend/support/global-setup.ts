import { bundledThread } from './bundled-thread'
import { prepare } from './prepared'

/** Runs before the workers start, so that they do not all build the same database and bundle. */
export default async function setup(): Promise<void> {
  await prepare()
  await bundledThread()
}
