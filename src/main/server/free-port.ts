import { createServer } from 'node:net'

function canListen(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(null))
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = probe.address()
      const bound = typeof address === 'object' && address !== null ? address.port : null
      probe.close(() => resolve(bound))
    })
  })
}

/** Returns a free port on 127.0.0.1: the preferred one if possible, otherwise one chosen by the system. */
export async function pickPort(preferred: number | null): Promise<number> {
  const port = (preferred === null ? null : await canListen(preferred)) ?? (await canListen(0))
  if (port === null) throw new Error('no free port on 127.0.0.1')
  return port
}
