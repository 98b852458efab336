import { bundledThread } from './bundled-thread'
import { prepare } from './prepared'

/** Before the workers start, so that they do not all make the same database and bundle. */
export default async function setup(): Promise<void> {
  await prepare()
  await bundledThread()
}
