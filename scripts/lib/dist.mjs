// @ts-check
/** @type {Partial<Record<NodeJS.Platform, string>>} */
const FLAGS = { win32: '--win', darwin: '--mac', linux: '--linux' }

/** Variables that electron-builder reads for signing. CI sets a missing secret to an empty string, which counts as unset. */
export const SIGNING = [
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
  const flag = FLAGS[platform]
  if (flag === undefined) throw new Error(`There are no installers for ${platform}.`)
  const feed = updateFeed(env)
  const { VIGNETTE_HOMEPAGE: homepage, VIGNETTE_MAINTAINER: maintainer } = env
  return [
    flag,
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
 * Warnings about what the packages will lack; electron-builder itself says what it does not sign or notarise.
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 */
export function packagingWarnings(platform, env) {
  /** @type {string[]} */
  const warnings = []
  if (updateFeed(env) === null)
    warnings.push('Updates are off in these packages: VIGNETTE_UPDATES_URL is not set.')
  if (platform === 'linux' && !hasMaintainer(env)) {
    warnings.push(
      'No .deb is built, because it must name a maintainer: set VIGNETTE_MAINTAINER ("Name <mail>") and VIGNETTE_HOMEPAGE.',
    )
  }
  return warnings
}
