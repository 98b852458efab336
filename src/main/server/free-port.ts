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

/** Ports above 1,023 that Chromium loads nothing from: kRestrictedPorts in net/base/port_util.cc. */
const REFUSED: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
])

function isLoadable(port: number): boolean {
  return port > 1023 && !REFUSED.has(port)
}

/** Returns a free port on 127.0.0.1: the preferred one if possible, otherwise one chosen by the system. */
export async function pickPort(preferred: number | null): Promise<number> {
  const port =
    (preferred !== null && isLoadable(preferred) ? await canListen(preferred) : null) ?? (await canListen(0))
  if (port === null) throw new Error('no free port on 127.0.0.1')
  return port
}
