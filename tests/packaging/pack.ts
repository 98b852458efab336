import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { extractAll } from '@electron/asar'
import { builderArguments } from '../../scripts/lib/dist.mjs'
import { packagedExecutable } from '../../scripts/lib/packaged-app.mjs'

const root = resolve(import.meta.dirname, '../..')
const exec = promisify(execFile)

/**
 * The sentinel before the fuses in Electron's binary, followed by the version (1), their number and one digit per fuse.
 */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
/** Initial fuse values that differ from the configuration. */
const FUSES_OF_ELECTRON = '101100011'
/** Fuses in the order of the binary. */
const FUSE_NAMES = [
  'runAsNode',
  'cookieEncryption',
  'nodeOptionsEnvironmentVariable',
  'nodeCliInspectArguments',
  'embeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
  'wasmTrapHandlers',
] as const

export interface Packed {
  /** The resources folder. */
  resources: string
  /** app.asar, extracted outside the project, so that it cannot resolve the project's packages. */
  contents: string
  fuses: Record<string, boolean>
}

/** The recorded inputs of fpm and codesign. */
export interface Recorded {
  resources: string
  deb: { desktopEntry: string; afterInstall: string; args: string[] }
  mac: { entitlements: string; hardenedRuntime: boolean; isAdHocAfterFuses: boolean; icon: string | null }
}

/** A fake Electron runtime: its folders and an executable with fuses. */
async function writeRuntime(folder: string): Promise<void> {
  await mkdir(join(folder, 'resources'), { recursive: true })
  await mkdir(join(folder, 'locales'))
  await writeFile(join(folder, 'locales', 'en-US.pak'), '')
  await writeFile(join(folder, 'electron'), `${FUSE_SENTINEL}\x01\x09${FUSES_OF_ELECTRON}`)
}

function readFuses(program: string): Record<string, boolean> {
  const wire = program.slice(program.indexOf(FUSE_SENTINEL) + FUSE_SENTINEL.length + 2)
  return Object.fromEntries(FUSE_NAMES.map((name, at) => [name, wire[at] === '1']))
}

/** Runs `npm run dist` for Linux with the fake runtime, so nothing is downloaded. */
async function dist(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const runtime = join(folder, 'runtime')
  await writeRuntime(runtime)
  await exec(
    process.execPath,
    [
      join(root, 'scripts', 'dist.mjs'),
      '--platform=linux',
      `--output=${folder}`,
      `-c.electronDist=${runtime}`,
      ...args,
    ],
    { cwd: root, env: { ...process.env, ...env } },
  )
  return packagedExecutable(folder, { platform: 'linux' })
}

export async function pack(folder: string): Promise<Packed> {
  const program = await dist(folder, ['--dir'], { VIGNETTE_UPDATES_URL: '' })
  const resources = join(dirname(program), 'resources')
  const contents = join(folder, 'contents')
  extractAll(join(resources, 'app.asar'), contents)
  return { resources, contents, fuses: readFuses(await readFile(program, 'latin1')) }
}

/** Runs `npm run dist` for a .deb and a Mac app up to the steps that the recorder replaces. */
export async function packDeb(folder: string, env: NodeJS.ProcessEnv): Promise<Recorded> {
  const forMac = builderArguments({ platform: 'darwin', env: {} }).filter((arg) => arg.startsWith('-c'))
  const args = [...forMac, '-c.linux.target=deb', `-c.afterPack=${join(import.meta.dirname, 'recorder.cjs')}`]
  const resources = join(dirname(await dist(folder, args, env)), 'resources')
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'))
  return { resources, deb: await read('deb.json'), mac: await read('mac.json') }
}
