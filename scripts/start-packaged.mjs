// @ts-check
// `npm run start:packaged`: starts what `npm run dist -- --dir` made, and ends it once its page and its server work.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagedProgram, tryPackagedApp } from './lib/packaged-app.mjs'
import { ROOT } from './lib/paths.mjs'
import { endWithChildren } from './lib/process.mjs'

endWithChildren()
const userData = mkdtempSync(join(tmpdir(), 'vignette-packaged-'))
const { problem, output } = await tryPackagedApp(packagedProgram(join(ROOT, 'release')), { userData })
rmSync(userData, { recursive: true, force: true, maxRetries: 5 })
if (problem !== null) {
  console.error(`${output}\n${problem}`)
  process.exit(1)
}
console.log('The packaged app started: its page shows the sign-in, and its server answers.')
process.exit(0)
