import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { pickPort } from '#/main/server/free-port'

test('returns the preferred port if it is free, otherwise another one', async () => {
  const port = await pickPort(null)
  expect(port).toBeGreaterThan(0)

  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  expect(await pickPort(address.port)).not.toBe(address.port)
  server.close()
  await once(server, 'close')
  expect(await pickPort(address.port)).toBe(address.port)
})

test.each([6000, 10_080, 80])(
  'does not use port %i again: Chromium would load nothing from it',
  async (port) => {
    expect(await pickPort(port)).not.toBe(port)
  },
)
