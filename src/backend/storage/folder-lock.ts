import { randomUUID } from 'node:crypto'
import {
  constants,
  copyFile,
  type FileHandle,
  link,
  open,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { BackendError } from '#/backend/backend-error'

/**
 * Who holds a data folder. PGlite locks nothing: two processes on one folder silently lose each other's writes.
 * A process id alone does not tell a holder from a stranger that got its number later, so a holder also answers
 * with its token on a port of its own for as long as it lives.
 */
const lockSchema = z.strictObject({ pid: z.number().int(), port: z.number().int(), token: z.string() })

type LockRecord = z.infer<typeof lockSchema>

export interface FolderLock {
  release(): Promise<void>
}

/** How long a living process may take to answer before it is believed to be the holder, busy or suspended. */
const ANSWER_MS = 2_000
const ATTEMPTS = 5

/** How long it takes at most to take a stale lock away, in milliseconds: who claimed that longer ago has died over it. */
const CLAIM_MS = 10_000
/** How long to wait for who is taking a stale lock away, in milliseconds. */
const CLAIMED_MS = 20

/** How long a lock without content is given to be written, where it could not be linked into place whole. */
const WRITING_MS = 200

type Link = (from: string, to: string) => Promise<void>

/** Takes the folder for this process, or throws a `locked` error. A holder that is gone is taken over from. */
export async function lockFolder(path: string, linkFile: Link = link): Promise<FolderLock> {
  const token = randomUUID()
  const server = await answerWith(token)
  const record: LockRecord = { pid: process.pid, port: (server.address() as AddressInfo).port, token }
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await create(path, record, linkFile)) return { release: () => release(path, token, server) }
      const holder = (await readLock(path)) ?? (await readLockLater(path))
      if (holder !== null && (await isAlive(holder))) throw lockedError(holder)
      await removeStale(path, holder)
    }
    throw lockedError(null)
  } catch (error) {
    server.close()
    throw error
  }
}

function lockedError(holder: LockRecord | null): BackendError {
  const who = holder === null ? '' : ` (process ${holder.pid})`
  return new BackendError(
    'locked',
    `Another Vignette is already using this data folder${who}. Close it first, or choose another folder.`,
  )
}

function answerWith(token: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end(token)
  })
  server.unref()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

/** What `link` fails with on file systems without hard links: exFAT, FAT, many network folders. */
const NO_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EISDIR', 'EINVAL', 'UNKNOWN'])

/** Makes the lock file if there is none; false when there is. */
async function create(path: string, record: LockRecord, linkFile: Link): Promise<boolean> {
  // Written beside it and linked into place: nobody ever reads half a lock.
  const draft = `${path}.${record.token}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(JSON.stringify(record))
  } finally {
    await file.close()
  }
  try {
    await linkFile(draft, path)
    return true
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code === 'EEXIST') return false
    if (!NO_LINKS.has(code)) throw error
    return await createWithoutLink(path, record)
  } finally {
    await rm(draft, { force: true })
  }
}

/** The same in two steps: made by one of many, and empty until it is written. */
async function createWithoutLink(path: string, record: LockRecord): Promise<boolean> {
  const file = await openNew(path)
  if (file === null) return false
  try {
    await file.writeFile(JSON.stringify(record))
  } finally {
    await file.close()
  }
  // Whoever thought it stale while it was empty has moved it away.
  return (await readLock(path))?.token === record.token
}

/** The lock file's content; null when it is gone or no lock of ours. */
async function readLock(path: string): Promise<LockRecord | null> {
  try {
    return lockSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}

async function readLockLater(path: string): Promise<LockRecord | null> {
  await sleep(WRITING_MS)
  return readLock(path)
}

async function isAlive(holder: LockRecord): Promise<boolean> {
  if (!isRunning(holder.pid)) return false
  const answer = await askForToken(holder.port)
  return answer === 'silent' || answer === holder.token
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What the port answers; `silent` when it takes the call and says nothing, null when nobody listens. */
function askForToken(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect({ port, host: '127.0.0.1' })
    socket.setEncoding('utf8')
    socket.setTimeout(ANSWER_MS, () => {
      socket.destroy()
      resolve('silent')
    })
    socket.on('data', (text: string) => {
      heard += text
      if (heard.length > 100) socket.destroy()
    })
    socket.on('error', () => resolve(null))
    socket.on('close', () => resolve(heard))
  })
}

/**
 * Takes a stale lock away, or waits for another process that does. Nobody else removes one under the claim: what is
 * found unchanged then is still the stale one, and not the lock of who took the folder meanwhile.
 */
async function removeStale(path: string, stale: LockRecord | null): Promise<void> {
  const claim = `${path}.claim`
  const mine = await openNew(claim)
  if (mine === null) {
    const { mtimeMs } = await stat(claim).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > CLAIM_MS) await rm(claim, { force: true })
    else await sleep(CLAIMED_MS)
    return
  }
  await mine.close()
  try {
    const now = await readLock(path)
    if (now?.token !== stale?.token) return
    if (now === null) await moveUnreadable(path)
    else await rm(path, { force: true })
  } finally {
    await rm(claim, { force: true })
  }
}

/** A file made by this call alone; null when there is one. */
function openNew(path: string): Promise<FileHandle | null> {
  return open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null
    throw error
  })
}

/** Takes away what is no lock. It may be written after all at that moment: what is moved then is one, and is put back. */
async function moveUnreadable(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if ((await readLock(aside)) !== null) {
    await copyFile(aside, path, constants.COPYFILE_EXCL).catch(() => undefined)
  }
  await rm(aside, { force: true })
}

async function release(path: string, token: string, server: Server): Promise<void> {
  const held = await readLock(path)
  if (held?.token === token) await rm(path, { force: true })
  server.close()
}
