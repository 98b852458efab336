// @ts-check
// `npm run dist` builds the installers for this system in release/; `-- --dir` only builds the unpacked app.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './lib/build.mjs'
import { builderArguments, packagingWarnings, SIGNING, withoutHevc } from './lib/dist.mjs'
import { ROOT } from './lib/paths.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'
import { runTool } from './lib/tools.mjs'

/** Written for VIGNETTE_HEVC=off. */
const HEVC_OFF_CONFIG = 'out/electron-builder.yml'

const { values } = parseArgs({
  options: {
    /** Builds the unpacked app instead of installers. */
    dir: { type: 'boolean', default: false },
    output: { type: 'string', default: 'release' },
    /** Packages for another system, as far as electron-builder supports it here. */
    platform: { type: 'string', default: process.platform },
    /** Overrides for electron-builder, for example `-c.electronDist=FOLDER`. */
    config: { type: 'string', short: 'c', multiple: true, default: [] },
  },
})
const platform = /** @type {NodeJS.Platform} */ (values.platform)
// electron-builder also reads this file; the warnings below depend on it.
const envFile = join(ROOT, 'electron-builder.env')
if (existsSync(envFile)) process.loadEnvFile(envFile)
for (const name of SIGNING) if (process.env[name] === '') delete process.env[name]
const { env } = process
stopChildrenOnExit()
/** @type {string[]} */
let args
try {
  args = [
    ...builderArguments({ platform, env, dir: values.dir }),
    `-c.directories.output=${values.output}`,
    ...(env.VIGNETTE_HEVC === 'off' ? [`--config=${HEVC_OFF_CONFIG}`] : []),
    ...values.config.map((setting) => `-c${setting}`),
  ]
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(2)
}

if (!(await build({ quiet: true }))) process.exit(1)
if (env.VIGNETTE_HEVC === 'off') {
  const config = readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8')
  writeFileSync(join(ROOT, HEVC_OFF_CONFIG), withoutHevc(config))
}
console.log(`Packaging for ${platform} …`)
for (const warning of packagingWarnings(platform, env)) console.log(`- ${warning}`)

const { ok } = await runTool('electron-builder', args)
if (!ok) {
  console.error("Packaging failed; see electron-builder's output above.")
  process.exit(1)
}
console.log(`Packaged in ${values.output}/.`)
