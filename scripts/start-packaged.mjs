// @ts-check
// `npm run start:packaged` is a smoke test of the app that `npm run dist -- --dir` built.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagedExecutable, smokeTest } from './lib/packaged-app.mjs'
import { ROOT } from './lib/paths.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'

stopChildrenOnExit()
const userData = mkdtempSync(join(tmpdir(), 'vignette-packaged-'))
const { problem, output } = await smokeTest(packagedExecutable(join(ROOT, 'release')), { userData })
rmSync(userData, { recursive: true, force: true, maxRetries: 5 })
if (problem !== null) {
  console.error(`${output}\n${problem}`)
  process.exit(1)
}
console.log('The packaged app works: it shows the sign-in screen, and its server responds.')
process.exit(0)
