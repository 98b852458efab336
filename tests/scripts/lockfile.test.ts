import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

interface Locked {
  version?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  resolved?: string
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
