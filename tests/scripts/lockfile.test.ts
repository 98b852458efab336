import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

interface Locked {
  version?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  resolved?: string
  integrity?: string
}

/** The path where Node resolves a package from another package; undefined if it is not locked. */
function locate(packages: Record<string, Locked>, from: string, name: string): string | undefined {
  const steps = from === '' ? [''] : [from, ...ancestors(from), '']
  return steps
    .map((step) => `${step === '' ? '' : `${step}/`}node_modules/${name}`)
    .find((path) => path in packages)
}

function ancestors(path: string): string[] {
  const parts = path.split('/node_modules/')
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('/node_modules/'))
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(
  await readFile('package-lock.json', 'utf8'),
)

// `npm ci` fails in a fresh clone if the packages of another system are missing.
test('the lockfile contains the dependencies for every system', () => {
  const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => locate(packages, path, name) === undefined)
      .map((name) => `${path} → ${name}`),
  )
  expect(missing).toEqual([])
})

test('the lockfile contains no registry URLs', () => {
  expect(Object.keys(packages).filter((path) => packages[path]?.resolved !== undefined)).toEqual([])
})

/**
 * Supabase's command line for other systems than its workflow's: the registry that completed the lockfile did not have
 * them. The workflow `installers` removes them before it reads its secrets. Remove a package here once it has a hash.
 */
const WITHOUT_HASH = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64',
  'linux-arm64-musl',
  'linux-x64-musl',
  'windows-arm64',
  'windows-x64',
].map((system) => `node_modules/@supabase/cli-${system}`)

test('npm checks the SHA-512 of every package of the lockfile', () => {
  const unchecked = Object.entries(packages)
    .filter(([path, { integrity = '' }]) => path !== '' && !/^sha512-[\w+/]{86}==$/.test(integrity))
    .map(([path]) => path)
  expect(unchecked).toEqual(WITHOUT_HASH)
})

test('a release is built without the packages whose hash is unknown', async () => {
  const installers = await readFile('.github/workflows/installers.yml', 'utf8')
  expect(installers.match(/npm ci\b/g)).toHaveLength(1)
  expect(installers).toMatch(/npm ci .*\n( +#.*\n)* +- run: rm -rf node_modules\/@supabase\/cli-\*\n/)
  // PowerShell's rm takes no -rf.
  expect(installers).toMatch(/^defaults:\n {2}run:\n {4}shell: bash\n/m)
})
