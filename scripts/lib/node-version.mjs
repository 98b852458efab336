// @ts-check
// Even an old Node must be able to load this module: use no modern syntax or imports.

/** The same range as package.json's engines: `^20.19.0 || >=22.12.0`. */
export const NODE_RANGE = '^20.19.0 || >=22.12.0'

/**
 * Whether this Node can run the project.
 * @param {string} version as in `process.versions.node`
 */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major === 20) return minor >= 19
  if (major === 22) return minor >= 12
  return major > 22
}

/** Exits with an explanation if this version of Node is not supported. */
export function requireNode() {
  if (isSupportedNode(process.versions.node)) return
  console.error(
    `Vignette needs Node 20.19 or newer of the 20 line, or 22.12 and newer; this is Node ${process.versions.node}.`,
  )
  console.error('Install a supported version from https://nodejs.org, or run `nvm install` in this folder.')
  process.exit(1)
}
