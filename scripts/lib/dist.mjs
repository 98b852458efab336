// @ts-check
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { ROOT } from './paths.mjs'
import { endWithChildren, start } from './process.mjs'
import { toolPath } from './tools.mjs'

/** @type {Partial<Record<NodeJS.Platform, { flag: string, makes: string }>>} */
const SYSTEMS = {
  win32: { flag: '--win', makes: 'an installer (nsis) for x64 and arm64' },
  darwin: { flag: '--mac', makes: 'dmg and zip for x64 and arm64' },
  linux: { flag: '--linux', makes: 'AppImage and, where somebody is named, deb for this processor' },
}

/** What electron-builder reads for signing; an empty one, as CI gives for a secret it lacks, is none. */
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
 * Where packaged apps look for updates, as VIGNETTE_UPDATES_URL says; null when they don't. Throws on an address that
 * they could not trust.
 * @param {NodeJS.ProcessEnv} env
 */
export function updateFeed({ VIGNETTE_UPDATES_URL: address }) {
  if (!address) return null
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw new Error('VIGNETTE_UPDATES_URL must be an https address without a name or password in it.')
  }
  return url.href
}

/** @param {NodeJS.ProcessEnv} env */
function namesSomebody({ VIGNETTE_HOMEPAGE, VIGNETTE_MAINTAINER }) {
  return Boolean(VIGNETTE_HOMEPAGE && VIGNETTE_MAINTAINER)
}

/**
 * electron-builder's arguments.
 * @param {{ platform: NodeJS.Platform, env: NodeJS.ProcessEnv, dir?: boolean }} wanted
 */
export function builderArguments({ platform, env, dir = false }) {
  const system = SYSTEMS[platform]
  if (system === undefined) throw new Error(`There are no installers for ${platform}.`)
  const feed = updateFeed(env)
  const { VIGNETTE_HOMEPAGE: homepage, VIGNETTE_MAINTAINER: maintainer } = env
  return [
    system.flag,
    // A .deb names who answers for it: without anybody there is none.
    ...(platform === 'linux' && !dir && !namesSomebody(env) ? ['AppImage'] : []),
    ...(dir ? ['--dir'] : []),
    '--publish=never',
    // Changing fuses breaks the signature that Electron comes with, and Apple Silicon starts no app without one. A Developer ID, where
    // there is one, signs afterwards.
    ...(platform === 'darwin' ? ['-c.electronFuses.resetAdHocDarwinSignature=true'] : []),
    ...(feed === null ? [] : ['-c.publish.provider=generic', `-c.publish.url=${feed}`]),
    ...(homepage ? [`-c.extraMetadata.homepage=${homepage}`] : []),
    ...(maintainer ? [`-c.linux.maintainer=${maintainer}`] : []),
  ]
}

/**
 * What the packages will lack, a line each.
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 */
export function shortcomings(platform, env) {
  const has = (/** @type {string[]} */ ...names) => names.every((name) => Boolean(env[name]))
  /** @type {string[]} */
  const lacks = []
  if (updateFeed(env) === null)
    lacks.push('Updates are off in these packages: VIGNETTE_UPDATES_URL is not set.')
  if (platform === 'win32' && !has('WIN_CSC_LINK') && !has('CSC_LINK')) {
    lacks.push('Not signed, so Windows will warn: WIN_CSC_LINK names no certificate.')
  }
  if (platform === 'darwin') {
    if (!has('CSC_LINK')) {
      lacks.push('Signed ad hoc unless the keychain has a Developer ID: CSC_LINK names no certificate.')
    }
    const isNotarised =
      has('APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER') ||
      has('APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID')
    if (!isNotarised)
      lacks.push('Not notarised, so macOS will refuse a download: APPLE_API_KEY and its kin are not set.')
  }
  if (platform === 'linux' && !namesSomebody(env)) {
    lacks.push(
      'No .deb is made, since it must name somebody: VIGNETTE_MAINTAINER ("Name <mail>") and VIGNETTE_HOMEPAGE are not both set.',
    )
  }
  return lacks
}

/**
 * What a failed packaging comes down to, in words; null when its own are all there is.
 * @param {string} output of electron-builder
 */
export function explainPackaging(output) {
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|fetch failed/.test(output)
  ) {
    return "Electron's runtime and the packaging tools come from github.com, which cannot be reached from here. Once they are in the cache of this machine, no connection is needed."
  }
  if (/Cannot create symbolic link|A required privilege is not held/.test(output)) {
    return "Windows must allow symbolic links: turn on its developer mode (Settings, 'For developers'), or run this as administrator."
  }
  if (/ENOSPC|no space left/i.test(output)) return 'The disk is full.'
  if (/code ?sign|notari[sz]/i.test(output)) {
    return 'Signing or notarising failed. Without the CSC_… and APPLE_… variables the packages are made unsigned.'
  }
  return null
}

/**
 * Runs electron-builder, showing what it says.
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
 * @param {number} since files older than this (a time in ms) are of an earlier run
 */
function packagesMade(folder, since) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(exe|dmg|zip|AppImage|deb)$/.test(entry.name))
    .map(({ name }) => ({ name, ...statSync(join(folder, name)) }))
    .filter(({ mtimeMs }) => mtimeMs >= since)
    .map(({ name, size }) => `  ${join(folder, name)} (${(size / 1e6).toFixed(0)} MB)`)
}

/** What `npm run dist` does; ends the program. */
export async function dist() {
  const { values } = parseArgs({
    options: {
      /** Leave the app unpacked instead of making installers. */
      dir: { type: 'boolean', default: false },
      output: { type: 'string', default: 'release' },
      /** Another system's, as far as electron-builder can make it here. */
      platform: { type: 'string', default: process.platform },
      /** Settings of electron-builder, for example `-c.electronDist=FOLDER`. */
      config: { type: 'string', short: 'c', multiple: true, default: [] },
    },
  })
  const platform = /** @type {NodeJS.Platform} */ (values.platform)
  // electron-builder reads it too; what it says of updates and signing must be known here.
  const ownEnv = join(ROOT, 'electron-builder.env')
  if (existsSync(ownEnv)) process.loadEnvFile(ownEnv)
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name, value]) => value !== '' || !SIGNING.includes(name)),
  )
  endWithChildren()
  /** @type {string[]} */
  let args
  try {
    args = [
      ...builderArguments({ platform, env, dir: values.dir }),
      `-c.directories.output=${values.output}`,
      ...values.config.map((setting) => `-c${setting}`),
    ]
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }

  await ensureInstalled()
  if (!(await build({ quiet: true }))) process.exit(1)
  console.log(`Packaging for ${platform}: ${values.dir ? 'the app, unpacked' : SYSTEMS[platform]?.makes} …`)
  for (const lack of shortcomings(platform, env)) console.log(`- ${lack}`)

  const startedAt = Date.now()
  const { ok, output } = await runBuilder(args, env)
  if (!ok) {
    console.error(explainPackaging(output) ?? 'Packaging failed; electron-builder says why above.')
    process.exit(1)
  }
  const made = values.dir ? [] : packagesMade(resolve(ROOT, values.output), startedAt)
  console.log(values.dir ? `The app is in ${values.output}/.` : `Made:\n${made.join('\n')}`)
  process.exit(0)
}
