import { randomUUID } from 'node:crypto'
import { constants, copyFile, type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { BackendError } from '#/backend/base/backend-error'

/**
 * The holder of a data folder. PGlite has no lock: two processes on one folder silently lose each other's writes. The
 * operating system reuses process ids, so the holder also listens on a port and sends its token there.
 */
const lockSchema = z.strictObject({ pid: z.number().int(), port: z.number().int(), token: z.string() })

type LockRecord = z.infer<typeof lockSchema>

export interface FolderLock {
  release(): Promise<void>
}

/** A process that takes longer to send its token counts as the holder: it may be busy or suspended. */
const RESPONSE_MS = 2_000
const ATTEMPTS = 5

/** An older claim file is left over from a crash, because removing a stale lock takes less time. */
const CLAIM_MAX_MS = 10_000
/** Wait while another process removes a stale lock, in milliseconds. */
const CLAIM_RETRY_MS = 20

/** Wait for the content of an empty lock file, in milliseconds. */
const LOCK_WRITE_MS = 200

/** Locks the folder for this process, or throws a `locked` error. Replaces the lock of a process that has ended. */
export async function lockFolder(path: string): Promise<FolderLock> {
  const token = randomUUID()
  const server = await serveToken(token)
  const record: LockRecord = { pid: process.pid, port: (server.address() as AddressInfo).port, token }
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await create(path, record)) return { release: () => release(path, token, server) }
      const holder = (await readLock(path)) ?? (await readLockLater(path))
      if (holder !== null && (await isAlive(holder))) throw lockedError(holder)
      await removeStaleLock(path, holder)
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

function serveToken(token: string): Promise<Server> {
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

/** Creates the lock file, which is empty until it is written; false if it exists. Not every file system has hard links. */
async function create(path: string, record: LockRecord): Promise<boolean> {
  const file = await openNew(path)
  if (file === null) return false
  try {
    await file.writeFile(JSON.stringify(record))
  } finally {
    await file.close()
  }
  // Another process may have removed it as stale while it was empty.
  return (await readLock(path))?.token === record.token
}

/** Null if the lock file is missing or invalid. */
async function readLock(path: string): Promise<LockRecord | null> {
  try {
    return lockSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}

async function readLockLater(path: string): Promise<LockRecord | null> {
  await sleep(LOCK_WRITE_MS)
  return readLock(path)
}

async function isAlive(holder: LockRecord): Promise<boolean> {
  if (!isRunning(holder.pid)) return false
  const response = await requestToken(holder.port)
  return response === 'timeout' || response === holder.token
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The data that a connection to the port receives; `timeout` if it receives none in time, null if no process listens. */
function requestToken(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect({ port, host: '127.0.0.1' })
    socket.setEncoding('utf8')
    socket.setTimeout(RESPONSE_MS, () => {
      socket.destroy()
      resolve('timeout')
    })
    socket.on('data', (text: string) => {
      received += text
      if (received.length > 100) socket.destroy()
    })
    socket.on('error', () => resolve(null))
    socket.on('close', () => resolve(received))
  })
}

/**
 * Removes a stale lock, or waits for another process to remove it. Only the owner of the claim file may remove a lock, so
 * a lock that is unchanged after claiming is still the stale one and not the lock of a new holder.
 */
async function removeStaleLock(path: string, stale: LockRecord | null): Promise<void> {
  const claim = `${path}.claim`
  const mine = await openNew(claim)
  if (mine === null) {
    const { mtimeMs } = await stat(claim).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > CLAIM_MAX_MS) await rm(claim, { force: true })
    else await sleep(CLAIM_RETRY_MS)
    return
  }
  await mine.close()
  try {
    const now = await readLock(path)
    if (now?.token !== stale?.token) return
    if (now === null) await removeInvalidLock(path)
    else await rm(path, { force: true })
  } finally {
    await rm(claim, { force: true })
  }
}

/** Creates a file; null if it exists. */
function openNew(path: string): Promise<FileHandle | null> {
  return open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null
    throw error
  })
}

/** Removes an invalid lock file. Puts it back if its creator finished writing it in the meantime. */
async function removeInvalidLock(path: string): Promise<void> {
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
