// @ts-check
// `npm run start:packaged` signs in on the app that `npm run dist -- --dir` built, and restarts it. `-- PROGRAM` takes another one,
// e.g. an installed one. The system needs a key store that is open; on Linux .github/with-keyring.sh has one.
import { join } from 'node:path'
import { packagedExecutable, tryInNewFolder } from './lib/packaged-app.mjs'
import { ROOT } from './lib/paths.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'

stopChildrenOnExit()
const { problem, output } = await tryInNewFolder(process.argv[2] ?? packagedExecutable(join(ROOT, 'release')))
if (problem !== null) {
  console.error(`${output}\n${problem}`)
  process.exit(1)
}
console.log(
  'The packaged app works: a demo member signed in and still is after a restart; the session is sealed.',
)
process.exit(0)
