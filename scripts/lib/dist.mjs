// @ts-check
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { ROOT } from './paths.mjs'
import { start, stopChildrenOnExit } from './process.mjs'
import { toolPath } from './tools.mjs'

/** Written for VIGNETTE_HEVC=off. */
const HEVC_OFF_CONFIG = 'out/electron-builder.yml'

/** @type {Partial<Record<NodeJS.Platform, { flag: string, packages: string }>>} */
const SYSTEMS = {
  win32: { flag: '--win', packages: 'an installer (nsis) for x64 and arm64' },
  darwin: { flag: '--mac', packages: 'dmg and zip for x64 and arm64' },
  linux: { flag: '--linux', packages: 'AppImage and, if a maintainer is set, deb for this processor' },
}

/** Variables that electron-builder reads for signing. CI sets a missing secret to an empty string, which counts as unset. */
const SIGNING = [
  'CSC_LINK',
  'CSC_KEY_PASSWORD',
  'WIN_CSC_LINK',
  'WIN_CSC_KEY_PASSWORD',
  'APPLE_API_KEY',
  'APPLE_API_KEY_ID',
  'APPLE_API_ISSUER',
  'APPLE_ID',
  'APPLE_APP_SPECIFIC_PASSWORD',
  'APPLE_TEAM_ID',
]

/**
 * The update feed of packaged apps from VIGNETTE_UPDATES_URL; null if updates are off. Throws if the address is not secure.
 * @param {NodeJS.ProcessEnv} env
 */
export function updateFeed({ VIGNETTE_UPDATES_URL: address }) {
  if (!address) return null
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw new Error('VIGNETTE_UPDATES_URL must be an https address without a user name or password.')
  }
  return url.href
}

/** @param {NodeJS.ProcessEnv} env */
function hasMaintainer({ VIGNETTE_HOMEPAGE, VIGNETTE_MAINTAINER }) {
  return Boolean(VIGNETTE_HOMEPAGE && VIGNETTE_MAINTAINER)
}

/**
 * The arguments for electron-builder.
 * @param {{ platform: NodeJS.Platform, env: NodeJS.ProcessEnv, dir?: boolean }} options
 */
export function builderArguments({ platform, env, dir = false }) {
  const system = SYSTEMS[platform]
  if (system === undefined) throw new Error(`There are no installers for ${platform}.`)
  const feed = updateFeed(env)
  const { VIGNETTE_HOMEPAGE: homepage, VIGNETTE_MAINTAINER: maintainer } = env
  return [
    system.flag,
    // A .deb must name a maintainer.
    ...(platform === 'linux' && !dir && !hasMaintainer(env) ? ['AppImage'] : []),
    ...(dir ? ['--dir'] : []),
    '--publish=never',
    // Setting fuses breaks Electron's ad hoc signature, without which Apple Silicon does not start an app. Signing with a
    // Developer ID happens later.
    ...(platform === 'darwin' ? ['-c.electronFuses.resetAdHocDarwinSignature=true'] : []),
    ...(feed === null ? [] : ['-c.publish.provider=generic', `-c.publish.url=${feed}`]),
    ...(homepage ? [`-c.extraMetadata.homepage=${homepage}`] : []),
    ...(maintainer ? [`-c.linux.maintainer=${maintainer}`] : []),
  ]
}

/**
 * electron-builder's configuration for a build without a decoder of HEVC: without libheif, and without HEIC among the photos that the app
 * opens.
 * @param {string} config the text of electron-builder.yml
 */
export function withoutHevc(config) {
  const changed = config
    .replace(/^extraResources:\n(?: .*\n)+/m, '')
    .replaceAll(/^\s+(?:- image\/)?(?:heic|heif|hif),?\n/gm, '')
  if (/heic|heif/.test(changed.replaceAll(/#.*/g, '')))
    throw new Error('electron-builder.yml still names HEIC.')
  return changed
}

/**
 * Warnings about what the packages will lack.
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 */
export function packagingWarnings(platform, env) {
  const has = (/** @type {string[]} */ ...names) => names.every((name) => Boolean(env[name]))
  /** @type {string[]} */
  const warnings = []
  if (updateFeed(env) === null)
    warnings.push('Updates are off in these packages: VIGNETTE_UPDATES_URL is not set.')
  if (platform === 'win32' && !has('WIN_CSC_LINK') && !has('CSC_LINK')) {
    warnings.push('Not signed, so Windows will show a warning: WIN_CSC_LINK is not set.')
  }
  if (platform === 'darwin') {
    if (!has('CSC_LINK')) {
      warnings.push('Signed ad hoc unless the keychain has a Developer ID: CSC_LINK is not set.')
    }
    const isNotarised =
      has('APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER') ||
      has('APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID')
    if (!isNotarised)
      warnings.push(
        'Not notarised, so macOS will block the downloaded app: the APPLE_API_KEY variables are not set.',
      )
  }
  if (platform === 'linux' && !hasMaintainer(env)) {
    warnings.push(
      'No .deb is built, because it must name a maintainer: set VIGNETTE_MAINTAINER ("Name <mail>") and VIGNETTE_HOMEPAGE.',
    )
  }
  return warnings
}

/**
 * Explains to the user why packaging failed; null if the cause is unknown.
 * @param {string} output of electron-builder
 */
export function explainPackagingFailure(output) {
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|fetch failed/.test(output)
  ) {
    return "Electron's runtime and the packaging tools come from github.com, which cannot be reached. Once they are cached on this machine, no connection is needed."
  }
  if (/Cannot create symbolic link|A required privilege is not held/.test(output)) {
    return "Windows must allow symbolic links: turn on its developer mode (Settings, 'For developers'), or run this as administrator."
  }
  if (/ENOSPC|no space left/i.test(output)) return 'The disk is full.'
  if (/code ?sign|notari[sz]/i.test(output)) {
    return 'Signing or notarising failed. Without the CSC_… and APPLE_… variables the packages are built unsigned.'
  }
  return null
}

/**
 * Runs electron-builder and shows its output.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function runBuilder(args, env) {
  const child = start(process.execPath, [toolPath('electron-builder'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  })
  let output = ''
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])) {
    from?.on('data', (chunk) => {
      output += chunk
      to.write(chunk)
    })
  }
  return new Promise((done) => {
    child.once('error', (error) => done({ ok: false, output: error.message }))
    child.once('close', (code) => done({ ok: code === 0, output }))
  })
}

/**
 * @param {string} folder
 * @param {number} since time in ms; older files are from an earlier run
 */
function listPackages(folder, since) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(exe|dmg|zip|AppImage|deb)$/.test(entry.name))
    .map(({ name }) => ({ name, ...statSync(join(folder, name)) }))
    .filter(({ mtimeMs }) => mtimeMs >= since)
    .map(({ name, size }) => `  ${join(folder, name)} (${(size / 1e6).toFixed(0)} MB)`)
}

/** Runs `npm run dist`, then exits. */
export async function dist() {
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
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name, value]) => value !== '' || !SIGNING.includes(name)),
  )
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

  await ensureInstalled()
  if (!(await build({ quiet: true }))) process.exit(1)
  if (env.VIGNETTE_HEVC === 'off') {
    const config = readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8')
    writeFileSync(join(ROOT, HEVC_OFF_CONFIG), withoutHevc(config))
  }
  console.log(
    `Packaging for ${platform}: ${values.dir ? 'the app, unpacked' : SYSTEMS[platform]?.packages} …`,
  )
  for (const warning of packagingWarnings(platform, env)) console.log(`- ${warning}`)

  const startedAt = Date.now()
  const { ok, output } = await runBuilder(args, env)
  if (!ok) {
    console.error(explainPackagingFailure(output) ?? "Packaging failed; see electron-builder's output above.")
    process.exit(1)
  }
  const packages = values.dir ? [] : listPackages(resolve(ROOT, values.output), startedAt)
  console.log(values.dir ? `The app is in ${values.output}/.` : `Packages:\n${packages.join('\n')}`)
  process.exit(0)
}
