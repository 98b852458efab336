import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockFolder } from '#/backend/storage/folder-lock'
import { scratchFolder } from '#tests/backend/support/backend'

async function lockPath(): Promise<string> {
  return join(await scratchFolder(), 'lock.json')
}

const locked = { code: 'locked' }

test('one process can hold the lock, and the next one after it is released', async () => {
  const path = await lockPath()
  const first = await lockFolder(path)
  await expect(lockFolder(path)).rejects.toMatchObject(locked)
  await first.release()
  const second = await lockFolder(path)
  await second.release()
  expect(await readdir(join(path, '..'))).toEqual([])
})

test('of twenty concurrent attempts exactly one succeeds', async () => {
  const path = await lockPath()
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(path)))
  const holders = results.filter((result) => result.status === 'fulfilled')
  expect(holders).toHaveLength(1)
  await holders[0]?.value.release()
})

/** The id of a process that has exited. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

test('exactly one of many attempts takes over the lock of an exited process', async () => {
  const path = await lockPath()
  const gone = JSON.stringify({ pid: await deadPid(), port: 1, token: 'gone' })
  // Enough rounds to hit the race of reading the stale lock before and removing it after a takeover.
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

test('a process that crashed while removing a stale lock does not block others for long', async () => {
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

test('a later process with the same id does not hold the lock', async () => {
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

test('a running process that does not respond keeps its lock', async () => {
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

test('an incomplete lock file is not a lock', async () => {
  const path = await lockPath()
  await writeFile(path, '{"pid":')
  const lock = await lockFolder(path)
  await lock.release()
})

test('releasing does not remove the lock of another process', async () => {
  const path = await lockPath()
  const lock = await lockFolder(path)
  const other = JSON.stringify({ pid: process.pid, port: 1, token: 'another' })
  await writeFile(path, other)
  await lock.release()
  expect(await readFile(path, 'utf8')).toBe(other)
})

test('reports any other error', async () => {
  await expect(lockFolder(join(await lockPath(), 'missing'))).rejects.toMatchObject({ code: 'ENOENT' })
})
