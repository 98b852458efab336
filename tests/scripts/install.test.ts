import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { installPackages, outdatedPackages } from '../../scripts/lib/install.mjs'
import { ROOT } from '../../scripts/lib/paths.mjs'

const lock = {
  packages: {
    '': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/b': { version: '2.0.0', integrity: 'sha512-b' },
    'node_modules/@os/other': { version: '3.0.0', integrity: 'sha512-c', optional: true },
  },
}

test('reports every package as outdated before an installation', () => {
  expect(outdatedPackages(lock, null)).toEqual(['node_modules/a', 'node_modules/b'])
})

test('accepts packages as locked, without the optional packages of other systems', () => {
  const { '': _, 'node_modules/@os/other': __, ...packages } = lock.packages
  expect(outdatedPackages(lock, { packages })).toEqual([])
})

test('reports a package with another version or other contents as outdated', () => {
  const packages = {
    'node_modules/a': { version: '0.9.0', integrity: 'sha512-a' },
    'node_modules/b': { version: '2.0.0', integrity: 'sha512-x' },
  }
  expect(outdatedPackages(lock, { packages })).toEqual(['node_modules/a', 'node_modules/b'])
})

test.each([
  ['from the cache', [true], ['--prefer-offline'], true],
  [
    'from the registry if the cache is outdated',
    [false, true],
    ['--prefer-offline', '--prefer-online'],
    true,
  ],
  ['not at all if the registry fails too', [false, false], ['--prefer-offline', '--prefer-online'], false],
])('installs the packages %s', (_, results, expected, installed) => {
  const asked: (string | undefined)[] = []
  const npm = (args: string[]) => results[asked.push(args.at(-1)) - 1] === true
  expect(installPackages(npm)).toBe(installed)
  expect(asked).toEqual(expected)
})

test('what the commands load before they install the packages needs none of them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vignette-fresh-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true })
  const code = "await import('./scripts/lib/node-version.mjs'); await import('./scripts/lib/install.mjs')"
  const output = execFileSync(
    process.execPath,
    ['--input-type=module', '--eval', `${code}\nconsole.log('loaded')`],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  )
  expect(output).toBe('loaded\n')
})
