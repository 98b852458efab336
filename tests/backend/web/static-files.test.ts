import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { serveWeb } from '#/backend/start/serve-web'
import { scratchFolder } from '#tests/backend/support/backend'

/** Buffer memory in MB; responses are outside the JavaScript heap. */
const bufferMegabytes = () => process.memoryUsage().arrayBuffers / 1e6

test('unread responses with static files take less than 100 MB', async () => {
  const rendererDir = await scratchFolder()
  await mkdir(join(rendererDir, 'assets'))
  await writeFile(join(rendererDir, 'index.html'), '<!doctype html>')
  await writeFile(join(rendererDir, 'assets', 'app.png'), randomBytes(1_000_000))
  const fixed = { url: 'http://127.0.0.1:54321', publishableKey: 'sb_publishable_x' }
  const host = await serveWeb({ dataDir: rendererDir, port: 0, fixed, rendererDir })
  onTestFinished(host.stop)
  const { port } = new URL(host.url)

  const before = bufferMegabytes()
  const request = `GET /assets/app.png HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`
  const open = async () => {
    const socket = connect(Number(port), '127.0.0.1').pause()
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(request)
  }
  await Promise.all(Array.from({ length: 120 }, open))
  let peak = 0
  for (let sample = 0; sample < 100; sample += 1) {
    peak = Math.max(peak, bufferMegabytes())
    await pause(10)
  }
  expect(peak - before).toBeLessThan(100)
  const served = await fetch(`${host.url}/`)
  expect([served.status, await served.text()]).toEqual([200, '<!doctype html>'])
})
