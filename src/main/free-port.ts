import { createServer } from 'node:net'

function canListen(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(null))
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = probe.address()
      const found = typeof address === 'object' && address !== null ? address.port : null
      probe.close(() => resolve(found))
    })
  })
}

/** A port that is free on 127.0.0.1 now: the preferred one if it is, else one the system chooses. */
export async function pickPort(preferred: number | null): Promise<number> {
  const port = (preferred === null ? null : await canListen(preferred)) ?? (await canListen(0))
  if (port === null) throw new Error('no free port on 127.0.0.1')
  return port
}
