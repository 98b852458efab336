import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lockFolder } from '#/backend/storage/folder-lock'
import { scratchFolder } from './support'

async function lockPath(): Promise<string> {
  return join(await scratchFolder(), 'lock.json')
}

const locked = { code: 'locked' }

test('one holder at a time, and the next after it let go', async () => {
  const path = await lockPath()
  const first = await lockFolder(path)
  await expect(lockFolder(path)).rejects.toMatchObject(locked)
  await first.release()
  const second = await lockFolder(path)
  await second.release()
  expect(await readdir(join(path, '..'))).toEqual([])
})

test('of twenty at once, exactly one holds it', async () => {
  const path = await lockPath()
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(path)))
  const holders = results.filter((result) => result.status === 'fulfilled')
  expect(holders).toHaveLength(1)
  await holders[0]?.value.release()
})

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

test('the lock of a process that is gone is taken over, by one of many', async () => {
  const path = await lockPath()
  const gone = JSON.stringify({ pid: await deadPid(), port: 1, token: 'gone' })
  // Often enough for those who read it before it was taken over, and remove it after.
  for (let round = 0; round < 50; round += 1) {
    await writeFile(path, gone)
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => lockFolder(path)))
    const holders = results.filter((result) => result.status === 'fulfilled')
    expect(holders).toHaveLength(1)
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid })
    await holders[0]?.value.release()
  }
  expect(await readdir(join(path, '..'))).toEqual([])
})

test('who died while taking a stale lock away keeps nobody out for long', async () => {
  const path = await lockPath()
  const claim = `${path}.claim`
  await writeFile(path, JSON.stringify({ pid: await deadPid(), port: 1, token: 'gone' }))
  await writeFile(claim, '')
  await expect(lockFolder(path)).rejects.toMatchObject(locked)
  const before = new Date(Date.now() - 60_000)
  await utimes(claim, before, before)
  const lock = await lockFolder(path)
  await lock.release()
  expect(await readdir(join(path, '..'))).toEqual([])
})

test('another process that got the number later is no holder', async () => {
  const path = await lockPath()
  const stranger = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  stranger.listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  onTestFinished(() => void stranger.close())
  const address = stranger.address()
  const port = typeof address === 'object' ? address?.port : 0
  await writeFile(path, JSON.stringify({ pid: process.pid, port, token: 'of an earlier run' }))
  const lock = await lockFolder(path)
  await lock.release()
})

test('a holder that lives but does not answer keeps its lock', async () => {
  const path = await lockPath()
  const silent = createServer(() => undefined)
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : 0
  await writeFile(path, JSON.stringify({ pid: process.pid, port, token: 'suspended' }))
  await expect(lockFolder(path)).rejects.toMatchObject(locked)
})

test('half a lock file is no lock', async () => {
  const path = await lockPath()
  await writeFile(path, '{"pid":')
  const lock = await lockFolder(path)
  await lock.release()
})

test('letting go leaves a lock alone that is not one’s own', async () => {
  const path = await lockPath()
  const lock = await lockFolder(path)
  const other = JSON.stringify({ pid: process.pid, port: 1, token: 'another' })
  await writeFile(path, other)
  await lock.release()
  expect(await readFile(path, 'utf8')).toBe(other)
})

describe('where files cannot be linked, as on exFAT and many network folders', () => {
  const noLink = async () => {
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' })
  }

  test('of twenty at once, exactly one holds it, and the next after it let go', async () => {
    const path = await lockPath()
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(path, noLink)))
    const holders = results.filter((result) => result.status === 'fulfilled')
    expect(holders).toHaveLength(1)
    await expect(lockFolder(path, noLink)).rejects.toMatchObject(locked)
    await holders[0]?.value.release()
    const next = await lockFolder(path, noLink)
    await next.release()
    expect(await readdir(join(path, '..'))).toEqual([])
  })

  test('a stale lock is taken over by one of many', async () => {
    const path = await lockPath()
    await writeFile(path, JSON.stringify({ pid: await deadPid(), port: 1, token: 'gone' }))
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => lockFolder(path, noLink)))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  })

  test('any other failure is told', async () => {
    const full = async () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    await expect(lockFolder(await lockPath(), full)).rejects.toMatchObject({ code: 'ENOSPC' })
  })
})
