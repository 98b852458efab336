// @ts-check
// `npm run test:installers` installs each package that `npm run dist` made for this system, signs in on the installed app and
// removes it again. It changes the machine, so it runs only in CI or with `-- --yes`. See start-packaged.mjs about the key store.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findInstallers, installerOf, tryInstaller } from './lib/installers.mjs'
import { tryInNewFolder } from './lib/packaged-app.mjs'
import { ROOT } from './lib/paths.mjs'
import { run, stopChildrenOnExit } from './lib/process.mjs'

/** How long a command may take; in ms. */
const TIMEOUT = 600_000

if (!process.env.CI && !process.argv.includes('--yes')) {
  console.error('This installs Vignette on this machine and removes it again, with its links. Add -- --yes.')
  process.exit(2)
}
stopChildrenOnExit()
const { platform, arch } = process
const folder = join(ROOT, 'release')
let hasFailed = false
for (const file of findInstallers(folder, readdirSync(folder), { platform, arch })) {
  const scratch = mkdtempSync(join(tmpdir(), 'vignette-installer-'))
  const problem = await tryInstaller(
    installerOf(file, { platform, arch, scratch, isRoot: process.getuid?.() === 0 }),
    {
      run: ([program = '', ...args]) => run(program, args, { quiet: true, timeoutMs: TIMEOUT, cwd: scratch }),
      tryProgram: tryInNewFolder,
    },
  )
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  console.log(`${problem === null ? 'ok    ' : 'failed'} ${file}${problem === null ? '' : `\n${problem}`}`)
  hasFailed ||= problem !== null
}
process.exit(hasFailed ? 1 : 0)
